// C++ features in calling contexts: virtual calls, templates, lambdas, recursion,
// virtual bases, static and local objects, containers of containers.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct shape
{
  virtual ~shape () {}
  virtual unsigned area () const = 0;
  virtual std::unique_ptr<shape> copy () const = 0;
};

struct named
{
  explicit named (const char *text) : name (text) { name += ", named here"; }
  virtual ~named () {}
  std::string name;
};

struct square : shape, virtual named
{
  explicit square (unsigned n) : named ("square"), side (new unsigned (n)) {}
  unsigned area () const override { return *side * *side; }
  std::unique_ptr<shape> copy () const override
  {
    return std::make_unique<square> (*side + 1);
  }
  std::unique_ptr<unsigned> side;
};

struct group : shape, virtual named
{
  group () : named ("group") {}
  unsigned area () const override
  {
    unsigned sum = name.size ();
    for (const auto &part : parts)
      sum = sum * 3 + part->area ();
    return sum;
  }
  std::unique_ptr<shape> copy () const override
  {
    auto other = std::make_unique<group> ();
    for (const auto &part : parts)
      other->parts.push_back (part->copy ());
    return other;
  }
  std::vector<std::unique_ptr<shape>> parts;
};

static std::unique_ptr<shape>
build (unsigned depth, unsigned n)
{
  if (depth == 0)
    return std::make_unique<square> (n);
  auto made = std::make_unique<group> ();
  for (unsigned i = 0; i < 3; i++)
    made->parts.push_back (build (depth - 1, n + i));
  return made;
}

template<typename T, unsigned N>
static T *
make_block (T value)
{
  T *block = static_cast<T *> (std::malloc (N * sizeof (T)));
  for (unsigned i = 0; i < N; i++)
    block[i] = value + i;
  return block;
}

template<typename T>
static unsigned
use_blocks ()
{
  T *one = make_block<T, 3> (1), *two = make_block<T, 30> (2);
  unsigned sum = one[2] + two[29];
  std::free (one);
  std::free (two);
  return sum;
}

static std::function<unsigned (unsigned)>
adder (unsigned n)
{
  std::vector<unsigned> numbers (n, n);
  return [=] (unsigned x) { return x + numbers.back () + numbers.size (); };
}

struct global
{
  global () : words{ { "one", { 1 } }, { "two", { 2, 2 } } } {}
  std::map<std::string, std::list<int>> words;
} everywhere;

int
main ()
{
  unsigned sum = 0;
  for (unsigned depth = 0; depth < 5; depth++)
    {
      auto first = build (depth, depth);
      auto second = first->copy ();
      sum = sum * 31 + first->area () + second->area ();
    }
  sum = sum * 31 + use_blocks<int> () + use_blocks<double> ()
	+ use_blocks<char> ();
  for (unsigned n = 1; n < 9; n++)
    sum = sum * 7 + adder (n) (n);
  for (auto &word : everywhere.words)
    {
      word.second.push_back (word.first.size ());
      for (int n : word.second)
	sum = sum * 5 + n;
    }
  static std::vector<std::string> kept;
  for (int i = 0; i < 20; i++)
    kept.emplace_back (i * 3, 'k');
  printf ("%u %zu\n", sum, kept.back ().size ());
  return 0;
}
