// A queue between threads, with all ways to wait.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <barrier>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

class channel
{
public:
  void
  send (std::unique_ptr<std::string> text)
  {
    std::unique_lock<std::mutex> guard (lock);
    room.wait (guard, [this] { return texts.size () < 8; });
    texts.push_back (std::move (text));
    filled.notify_one ();
  }

  std::unique_ptr<std::string>
  receive ()
  {
    std::unique_lock<std::mutex> guard (lock);
    filled.wait (guard, [this] { return !texts.empty (); });
    auto text = std::move (texts.front ());
    texts.pop_front ();
    room.notify_one ();
    return text;
  }

private:
  std::mutex lock;
  std::condition_variable filled, room;
  std::deque<std::unique_ptr<std::string>> texts;
};

int
main ()
{
  channel queue;
  std::latch begin (3);
  long length = 0;
  {
    std::jthread receiver ([&] {
      begin.arrive_and_wait ();
      for (int i = 0; i < 600; i++)
	length += static_cast<long> (queue.receive ()->size ());
    });
    std::vector<std::jthread> senders;
    for (int number = 0; number < 2; number++)
      senders.emplace_back ([&, number] {
	begin.arrive_and_wait ();
	for (int i = 0; i < 300; i++)
	  queue.send (std::make_unique<std::string> (20 + i % 50 + number,
						     'q'));
      });
  }
  std::vector<long> rounds (4);
  std::barrier<> meeting (4);
  std::counting_semaphore<2> two (2);
  std::shared_mutex readers;
  std::vector<int> table (100, 1);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < 4; i++)
      threads.emplace_back ([&, i] (std::stop_token) {
	for (int turn = 0; turn < 5; turn++)
	  {
	    two.acquire ();
	    std::vector<int> copy;
	    {
	      std::shared_lock<std::shared_mutex> guard (readers);
	      copy = table;
	    }
	    for (int cell : copy)
	      rounds[i] += cell > 0;
	    two.release ();
	    meeting.arrive_and_wait ();
	    if (i == 0)
	      {
		std::unique_lock<std::shared_mutex> guard (readers);
		table.push_back (turn + 1);
	      }
	    meeting.arrive_and_wait ();
	  }
      });
  }
  std::printf ("%ld %ld %ld %zu\n", length, rounds[0], rounds[3],
	       table.size ());
  return 0;
}
