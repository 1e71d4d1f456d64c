// JSON documents made, printed, parsed, changed and compared.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Usage: json RECORDS ROUNDS

#include "workload.h"
#include <nlohmann/json.hpp>
#include <string>

namespace
{

using nlohmann::json;

std::string
random_word (uint64_t &state)
{
  std::string word;
  for (uint64_t length = 3 + workload_random (&state) % 20; length > 0;
       length--)
    word += static_cast<char> ('a' + workload_random (&state) % 26);
  return word;
}

json
make_record (uint64_t &state)
{
  json record;
  record["name"] = random_word (state);
  record["number"] = workload_random (&state) % 1000000;
  record["ratio"] = static_cast<double> (workload_random (&state) % 4096) / 64;
  record["valid"] = workload_random (&state) % 2 == 0;
  for (uint64_t i = workload_random (&state) % 8; i > 0; i--)
    record["tags"].push_back (random_word (state));
  record["place"] = { { "x", workload_random (&state) % 100 },
		      { "y", workload_random (&state) % 100 },
		      { "label", random_word (state) } };
  return record;
}

json
make_document (unsigned long records)
{
  uint64_t state = 1;
  json document;
  document["version"] = 1;
  for (unsigned long i = 0; i < records; i++)
    document["records"].push_back (make_record (state));
  return document;
}

void
change (json &document, unsigned long round)
{
  unsigned long i = 0;
  for (json &record : document["records"])
    {
      record["round"] = round;
      record["number"] = record["number"].get<uint64_t> () + i++;
      if (record["valid"].get<bool> ())
	record["tags"].push_back ("seen");
      else
	record.erase ("ratio");
    }
}

uint64_t
sum_of (const std::string &text)
{
  uint64_t sum = text.size ();
  for (const char c : text)
    sum = workload_mix (sum, static_cast<unsigned char> (c));
  return sum;
}

} // namespace

int
main (int argc, char **argv)
{
  const unsigned long records = workload_argument (argc, argv, 1, 4000);
  const unsigned long rounds = workload_argument (argc, argv, 2, 25);
  const json document = make_document (records);
  uint64_t sum = 0;
  for (unsigned long round = 0; round < rounds; round++)
    {
      json copy = json::parse (document.dump ());
      sum = workload_mix (sum, copy == document);
      change (copy, round);
      sum = workload_mix (sum, sum_of (copy.dump (1)));
    }
  workload_report (sum);
  return 0;
}
