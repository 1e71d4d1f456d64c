// An ordered key-value store in memory, a skip list that two threads use.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Usage: ordered-store KEYS OPERATIONS THREADS
//
// The threads share the list; each has keys of its own, so that the outcome
// does not depend on who comes first.  A batch of operations holds the lock.

#include "workload.h"
#include <array>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace
{

constexpr unsigned max_height = 16;
constexpr unsigned batch_operations = 256;

struct entry
{
  std::string key;
  std::string value;
  std::vector<entry *> next; // one for each level

  entry (const std::string &k, const std::string &v, unsigned height)
    : key (k), value (v), next (height, nullptr)
  {}
};

// Heights come from the key, so that the shape does not depend on the order of
// insertions.
unsigned
height_of (const std::string &key)
{
  uint64_t sum = 0;
  for (const char c : key)
    sum = workload_mix (sum, static_cast<unsigned char> (c));
  sum = workload_random (&sum);
  unsigned height = 1;
  while (height < max_height && (sum & 3) == 0)
    {
      height++;
      sum >>= 2;
    }
  return height;
}

class store
{
public:
  store () : head_ ("", "", max_height) {}
  store (const store &) = delete;
  store &operator= (const store &) = delete;

  ~store ()
  {
    entry *e = head_.next[0];
    while (e != nullptr)
      {
	entry *const next = e->next[0];
	delete e;
	e = next;
      }
  }

  void put (const std::string &key, const std::string &value)
  {
    path before;
    entry *const found = find (key, before);
    if (found != nullptr && found->key == key)
      {
	found->value = value;
	return;
      }
    entry *const e = new entry (key, value, height_of (key));
    for (unsigned level = 0; level < e->next.size (); level++)
      {
	e->next[level] = before[level]->next[level];
	before[level]->next[level] = e;
      }
  }

  const std::string *get (const std::string &key)
  {
    path before;
    const entry *const found = find (key, before);
    return found != nullptr && found->key == key ? &found->value : nullptr;
  }

  void erase (const std::string &key)
  {
    path before;
    entry *const found = find (key, before);
    if (found == nullptr || found->key != key)
      return;
    for (unsigned level = 0; level < found->next.size (); level++)
      before[level]->next[level] = found->next[level];
    delete found;
  }

  // Add up to COUNT values, from KEY on, whose keys begin with PREFIX.
  uint64_t scan (const std::string &key, const std::string &prefix,
		 unsigned count)
  {
    path before;
    uint64_t sum = 0;
    for (const entry *e = find (key, before); e != nullptr && count > 0;
	 e = e->next[0], count--)
      {
	if (e->key.compare (0, prefix.size (), prefix) != 0)
	  break;
	sum = workload_mix (sum, e->value.size ());
      }
    return sum;
  }

  std::mutex lock;

private:
  using path = std::array<entry *, max_height>;

  // The first entry not before KEY, and in BEFORE the last ones before it.
  entry *find (const std::string &key, path &before)
  {
    entry *e = &head_;
    for (unsigned level = max_height; level-- > 0;)
      {
	while (e->next[level] != nullptr && e->next[level]->key < key)
	  e = e->next[level];
	before[level] = e;
      }
    return e->next[0];
  }

  entry head_;
};

struct client
{
  char prefix;
  unsigned long keys;
  unsigned long operations;
  uint64_t state;
  uint64_t sum;

  std::string random_key ()
  {
    char text[24];
    snprintf (text, sizeof text, "%c%015llu", prefix,
	      static_cast<unsigned long long> (workload_random (&state)
					       % keys));
    return text;
  }

  void operate (store &s)
  {
    const std::string key = random_key ();
    const uint64_t choice = workload_random (&state) % 16;
    if (choice < 7)
      s.put (key, std::string (20 + workload_random (&state) % 100,
			       static_cast<char> ('a' + choice)));
    else if (choice < 8)
      s.erase (key);
    else if (choice < 9)
      sum = workload_mix (sum, s.scan (key, std::string (1, prefix), 20));
    else
      {
	const std::string *const value = s.get (key);
	sum = workload_mix (sum, value == nullptr ? 0 : value->size ());
      }
  }

  void run (store &s)
  {
    for (unsigned long done = 0; done < operations;)
      {
	const std::lock_guard<std::mutex> guard (s.lock);
	for (unsigned i = 0; i < batch_operations && done < operations; i++)
	  {
	    operate (s);
	    done++;
	  }
      }
  }
};

} // namespace

int
main (int argc, char **argv)
{
  const unsigned long keys = workload_argument (argc, argv, 1, 20000);
  const unsigned long operations = workload_argument (argc, argv, 2, 500000);
  const unsigned long count = workload_argument (argc, argv, 3, 2);
  store shared;
  std::vector<client> clients;
  std::vector<std::thread> threads;
  for (unsigned long i = 0; i < count; i++)
    clients.push_back ({ static_cast<char> ('A' + i % 26), keys, operations, i,
			 0 });
  for (client &c : clients)
    threads.emplace_back ([&c, &shared] { c.run (shared); });
  for (std::thread &thread : threads)
    thread.join ();
  uint64_t sum = 0;
  for (const client &c : clients)
    sum = workload_mix (sum, c.sum);
  workload_report (sum);
  return 0;
}
