// Conversions of text from and to numbers, between encodings, by the C library.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <memory>
#include <string>
#include <system_error>
#include <tuple>
#include <vector>

static std::string
formatted (const char *format, double value)
{
  char *text = nullptr;
  std::string result = "failed";
  if (asprintf (&text, format, value) >= 0)
    result = text;
  std::free (text);
  return result;
}

int
main ()
{
  std::vector<std::tuple<int, std::string, std::wstring>> rows;
  for (int i = 0; i < 200; i++)
    rows.emplace_back (i, formatted ("%.30f", i / 3.0),
		       std::to_wstring (i * 1000003L) + L" and so on and on");
  std::string all;
  for (const auto &[number, narrow, wide] : rows)
    all += narrow.substr (0, 8) + std::to_string (wide.size () + number) + ';';

  char digits[40];
  auto done = std::to_chars (digits, digits + sizeof digits, 123456789, 7);
  long back = 0;
  auto read = std::from_chars (digits, done.ptr, back, 7);
  char *copy = strdup ("a copy that the C library has made");
  char *last = nullptr;
  int words = 0;
  for (char *word = strtok_r (copy, " ", &last); word;
       word = strtok_r (nullptr, " ", &last))
    words++;
  std::free (copy);
  char *buffer = nullptr;
  std::size_t size = 0;
  std::FILE *memory = open_memstream (&buffer, &size);
  for (int i = 0; i < 500; i++)
    std::fprintf (memory, "%d,%ls;", i, L"wide");
  std::fclose (memory);
  std::unique_ptr<char, void (*) (void *)> owner (buffer, std::free);
  std::error_code error = std::make_error_code (std::errc::no_such_file_or_directory);
  std::printf ("%zu %s %ld %d\n", all.size (), all.substr (0, 24).c_str (),
	       back, read.ec == std::errc ());
  std::printf ("%d %zu %s\n", words, size, error.message ().c_str ());
  return 0;
}
