/* A recursive binary search tree with new and delete.
   SPDX-License-Identifier: GPL-3.0-or-later
   dhat 8  */

#include "truth.h"

namespace
{

struct node
{
  long key;
  node *left;
  node *right;

  explicit node (long k) : key (k), left (nullptr), right (nullptr) {}
};

unsigned long loads;

NOINLINE node *
make (long key)
{
  return new node (key); // site: node
}

/* Each step loads the key and one link; the last one finds it null, and a
   link is stored unless the node is the root.  */
NOINLINE void
insert (node **root, long key)
{
  node **link = root;
  node *at = *root;
  while (at)
    {
      loads += 2;
      link = key < at->key ? &at->left : &at->right;
      at = *link;
    }
  *link = make (key);
}

NOINLINE long
sum (const node *at)
{
  if (!at)
    return 0;
  loads += 3;
  return at->key + sum (at->left) + sum (at->right);
}

NOINLINE void
release (node *at)
{
  if (!at)
    return;
  loads += 2;
  release (at->left);
  release (at->right);
  delete at;
}

} // namespace

int
main ()
{
  const long n = 700;
  node *root = nullptr;
  long key = 1;
  for (long i = 0; i < n; i++)
    {
      key = key * 7919 % 100003;
      insert (&root, key);
    }
  const long total = sum (root);
  release (root);
  /* Three stores by the constructor and one of the link to all but the root,
     which is on the stack.  */
  truth_site ("node", n, n * sizeof (node), n * 3 + (n - 1) + loads);
  return total <= 0;
}
