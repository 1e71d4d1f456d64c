// Files, folders and paths.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <system_error>

#include <unistd.h>

namespace fs = std::filesystem;

int
main ()
{
  fs::path top = fs::current_path () / ("tree-" + std::to_string (getpid ()));
  for (int i = 0; i < 12; i++)
    {
      fs::path folder = top / ("folder " + std::to_string (i % 4))
			/ "with a name of some length";
      fs::create_directories (folder);
      std::ofstream (folder / (std::to_string (i) + ".text"))
	<< std::string (100 + i, 'f');
    }
  fs::create_symlink ("folder 1", top / "link");
  fs::rename (top / "folder 3", top / "renamed");
  std::set<std::string> found;
  std::uintmax_t bytes = 0;
  for (const auto &entry : fs::recursive_directory_iterator (top))
    {
      found.insert (fs::relative (entry.path (), top).generic_string ());
      if (entry.is_regular_file ())
	bytes += entry.file_size ();
    }
  for (const std::string &name : found)
    std::printf ("%s\n", name.c_str ());
  fs::path odd = "/a/./long/../path//with/many/elements/../and/more/file.tar.gz";
  std::size_t elements = 0;
  for (const fs::path &element : odd)
    elements += !element.empty ();
  std::error_code error;
  bool thrown = fs::file_size (top / "absent", error) == 0;
  try
    {
      fs::copy (top / "absent", top / "copy");
    }
  catch (const fs::filesystem_error &caught)
    {
      thrown = caught.path1 ().filename () == "absent";
    }
  std::printf ("%ju %zu %s %s %d %d %ju\n", bytes, elements,
	       odd.lexically_normal ().c_str (),
	       odd.stem ().extension ().c_str (), bool (error), thrown,
	       fs::remove_all (top));
  return 0;
}
