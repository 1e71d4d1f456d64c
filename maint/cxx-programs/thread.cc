// Threads that release each other's blocks, with thread-local data.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static thread_local std::vector<int> own;
static std::mutex lock;
static std::vector<std::string *> shared;
static std::atomic<long> total;

static void
work (int number)
{
  for (int i = 0; i < 500; i++)
    {
      own.push_back (number * 1000 + i);
      auto *text = new std::string (50 + i % 20, 'x');
      std::lock_guard<std::mutex> guard (lock);
      shared.push_back (text);
      if (i % 2)
	{
	  total += static_cast<long> (shared.front ()->size () >= 50);
	  delete shared.front ();
	  shared.erase (shared.begin ());
	}
    }
  total += static_cast<long> (own.size ());
}

int
main ()
{
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; i++)
    threads.emplace_back (work, i);
  for (std::thread &thread : threads)
    thread.join ();
  std::once_flag once;
  for (int i = 0; i < 3; i++)
    std::call_once (once, [] { total++; });
  std::printf ("%ld %zu %zu\n", total.load (), shared.size (), own.size ());
  for (std::string *text : shared)
    delete text;
  return 0;
}
