// Unique pointers: trees, deleters, conversions.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

struct node
{
  int key;
  std::unique_ptr<node> left, right;
};

static void
insert (std::unique_ptr<node> &root, int key)
{
  if (!root)
    root = std::unique_ptr<node> (new node { key, nullptr, nullptr });
  else
    insert (key < root->key ? root->left : root->right, key);
}

static long
sum_of (const node *root)
{
  return root ? root->key + sum_of (root->left.get ())
		  + sum_of (root->right.get ())
	      : 0;
}

struct base
{
  virtual ~base () = default;
  virtual std::string name () const { return "base"; }
};

struct derived : base
{
  std::vector<int> payload = std::vector<int> (100, 7);

  std::string
  name () const override
  {
    return "derived of " + std::to_string (payload.size ());
  }
};

struct release
{
  void operator() (void *block) const { std::free (block); }
};

int
main ()
{
  std::unique_ptr<node> root;
  for (int i = 0; i < 1000; i++)
    insert (root, (i * 7919) % 1009);
  root->left.reset ();
  std::vector<std::unique_ptr<base>> objects;
  for (int i = 0; i < 50; i++)
    if (i % 3)
      objects.push_back (std::make_unique<base> ());
    else
      objects.push_back (std::make_unique<derived> ());
  std::unique_ptr<base> taken = std::move (objects[3]);
  std::unique_ptr<char, release> block (static_cast<char *> (
    std::malloc (256)));
  block.get ()[255] = 'x';
  auto numbers = std::make_unique<long[]> (500);
  numbers[499] = 499;
  std::printf ("%ld %s %d %c %ld\n", sum_of (root.get ()),
	       taken->name ().c_str (), objects[3] == nullptr,
	       block.get ()[255], numbers[499] + numbers[0]);
  return 0;
}
