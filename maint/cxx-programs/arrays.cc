// Arrays of objects with constructors and destructors, and spans of them.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <array>
#include <cstdio>
#include <memory>
#include <span>
#include <string>

static int alive;
static int made;

struct counted
{
  std::string name;

  counted () : name (40, static_cast<char> ('a' + made % 26))
  {
    alive++;
    made++;
  }

  ~counted ()
  {
    alive--;
  }
};

static std::size_t
length (std::span<const counted> part)
{
  std::size_t found = 0;
  for (const counted &each : part)
    found += each.name.find_last_of ("ace") != std::string::npos;
  return found;
}

int
main ()
{
  counted *many = new counted[200];
  auto table = std::make_unique<std::array<counted, 26>> ();
  int (*matrix)[10] = new int[50][10] ();
  for (int i = 0; i < 50; i++)
    matrix[i][i % 10] = i;
  long sum = 0;
  for (int i = 0; i < 50; i++)
    for (int cell : std::span (matrix[i]))
      sum += cell;
  std::printf ("%d %d %zu %zu %ld\n", alive, made,
	       length ({ many, 200 }), length (*table), sum);
  delete[] many;
  delete[] matrix;
  std::printf ("%d\n", alive);
  table.reset ();
  std::shared_ptr<counted[]> shared (new counted[33]);
  std::printf ("%d %s\n", alive, shared[5].name.c_str ());
  return 0;
}
