/* Expressions built by mutually recursive functions: very many calling contexts
   with few allocations each, as in parsers and compilers.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: recursive-builder TREES NODES ROUNDS SKEW

   A round builds TREES expressions of about NODES nodes each, evaluates them
   and releases them.  Each round builds the same expressions, so later rounds
   add no contexts; each node needs one or two allocations.  The first operand
   of a node gets a random part of the nodes below it, but at most 1/SKEW of
   them: with 1, trees are about 2 ln NODES deep; larger values make them
   deeper.  */

#include "workload.h"

enum kind
{
  NUMBER,
  SUM,
  PRODUCT,
  CONDITION,
  CALL
};

struct expression
{
  enum kind kind;
  unsigned operand_count;
  uint64_t value;
  uint64_t *arguments; /* CALL only: values of the operands */
  struct expression *operands[];
};

static struct expression *build_sum (uint64_t *seed, unsigned nodes);
static struct expression *build_product (uint64_t *seed, unsigned nodes);
static struct expression *build_condition (uint64_t *seed, unsigned nodes);
static struct expression *build_call (uint64_t *seed, unsigned nodes);

static inline struct expression *
new_expression (enum kind kind, unsigned operand_count, uint64_t value)
{
  struct expression *const node
    = workload_block (malloc (sizeof *node
			      + operand_count * sizeof node->operands[0]));
  node->kind = kind;
  node->operand_count = operand_count;
  node->value = value;
  node->arguments = NULL;
  return node;
}

static struct expression *__attribute__ ((noinline))
build_number (uint64_t *seed)
{
  return new_expression (NUMBER, 0, workload_random (seed));
}

/* A random expression of NODES nodes.  Inlined, so that every operand of every
   function has its own call sites.  */

static inline struct expression *__attribute__ ((always_inline))
build_operand (uint64_t *seed, unsigned nodes)
{
  if (nodes <= 1)
    return build_number (seed);
  switch (workload_random (seed) % 4)
    {
    case 0:
      return build_sum (seed, nodes);
    case 1:
      return build_product (seed, nodes);
    case 2:
      return build_condition (seed, nodes);
    default:
      return build_call (seed, nodes);
    }
}

static unsigned skew;

/* The number of NODES that go to the first of several operands.  */

static inline unsigned
share (uint64_t *seed, unsigned nodes)
{
  const unsigned most = nodes / skew;
  return most <= 1 ? 1 : 1 + (unsigned) (workload_random (seed) % most);
}

static inline unsigned
rest (unsigned nodes, unsigned used)
{
  return nodes > used ? nodes - used : 1;
}

static struct expression *__attribute__ ((noinline))
build_sum (uint64_t *seed, unsigned nodes)
{
  struct expression *const node = new_expression (SUM, 2, nodes);
  const unsigned left = share (seed, nodes - 1);
  node->operands[0] = build_operand (seed, left);
  node->operands[1] = build_operand (seed, rest (nodes - 1, left));
  return node;
}

static struct expression *__attribute__ ((noinline))
build_product (uint64_t *seed, unsigned nodes)
{
  struct expression *const node = new_expression (PRODUCT, 2, nodes);
  const unsigned left = share (seed, nodes - 1);
  node->operands[0] = build_operand (seed, left);
  node->operands[1] = build_operand (seed, rest (nodes - 1, left));
  return node;
}

static struct expression *__attribute__ ((noinline))
build_condition (uint64_t *seed, unsigned nodes)
{
  struct expression *const node = new_expression (CONDITION, 3, nodes);
  const unsigned test = share (seed, (nodes - 1) / 4);
  const unsigned yes = share (seed, rest (nodes - 1, test));
  node->operands[0] = build_operand (seed, test);
  node->operands[1] = build_operand (seed, yes);
  node->operands[2] = build_operand (seed, rest (nodes - 1, test + yes));
  return node;
}

static struct expression *__attribute__ ((noinline))
build_call (uint64_t *seed, unsigned nodes)
{
  struct expression *const node = new_expression (CALL, 2, nodes);
  node->arguments = workload_block (malloc (2 * sizeof *node->arguments));
  const unsigned left = share (seed, nodes - 1);
  node->operands[0] = build_operand (seed, left);
  node->operands[1] = build_operand (seed, rest (nodes - 1, left));
  return node;
}

static uint64_t
evaluate (const struct expression *node)
{
  switch (node->kind)
    {
    case SUM:
      return evaluate (node->operands[0]) + evaluate (node->operands[1]);
    case PRODUCT:
      return evaluate (node->operands[0]) * (evaluate (node->operands[1]) | 1);
    case CONDITION:
      return evaluate (node->operands[evaluate (node->operands[0]) % 2 + 1]);
    case CALL:
      for (unsigned i = 0; i < node->operand_count; i++)
	node->arguments[i] = evaluate (node->operands[i]);
      return workload_mix (node->arguments[0], node->arguments[1]);
    default:
      return node->value;
    }
}

static void
release (struct expression *node)
{
  for (unsigned i = 0; i < node->operand_count; i++)
    release (node->operands[i]);
  free (node->arguments);
  free (node);
}

static uint64_t
run_round (struct expression **trees, unsigned long count, unsigned nodes)
{
  uint64_t sum = 0;
  for (unsigned long i = 0; i < count; i++)
    {
      uint64_t seed = i;
      trees[i] = build_operand (&seed, nodes);
    }
  for (unsigned long i = 0; i < count; i++)
    sum = workload_mix (sum, evaluate (trees[i]));
  for (unsigned long i = 0; i < count; i++)
    release (trees[i]);
  return sum;
}

int
main (int argc, char **argv)
{
  const unsigned long count = workload_argument (argc, argv, 1, 108);
  const unsigned nodes = (unsigned) workload_argument (argc, argv, 2, 1000);
  const unsigned long rounds = workload_argument (argc, argv, 3, 10);
  skew = (unsigned) workload_argument (argc, argv, 4, 1);
  struct expression **const trees
    = workload_block (malloc (count * sizeof *trees));
  uint64_t sum = 0;
  for (unsigned long i = 0; i < rounds; i++)
    sum = workload_mix (sum, run_round (trees, count, nodes));
  free (trees);
  workload_report (sum);
  return 0;
}
