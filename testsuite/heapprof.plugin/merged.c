/* Functions whose accesses are merged; coalesce.exp checks how.
   SPDX-License-Identifier: GPL-3.0-or-later  */

struct record
{
  int kind, value;
  struct record *next;
  long sum, more;
  long other[4];
  long far[4];
};

int
one_block (struct record *p)
{
  p->kind += p->value;
  p->sum = 0;
  return p->more + p->far[0];
}

int
early_return (struct record *p)
{
  if (p->kind != 3)
    return 0;
  return p->value;
}

int
list (struct record *p, int kind)
{
  while (p)
    {
      if (p->kind == kind)
	return 1;
      p = p->next;
    }
  return 0;
}

int
diamond (struct record *p, int way)
{
  int result = p->kind;
  if (way)
    result += p->value;
  else
    p->value = 1;
  return result + (int) p->sum;
}

void may_end (void);

int
call_between (struct record *p)
{
  int result = p->kind;
  may_end ();
  return result + p->value;
}

int
around_loop (struct record *p, unsigned limit)
{
  int result = p->kind;
  for (unsigned i = 1; i < limit; i *= 3)
    result ^= i;
  return result + p->value;
}

/* At each exit of the loop there is a PHI of the pointer.  */
long
two_exits (struct record **list, int kind)
{
  struct record *p;
  long result = 0;
  for (;;)
    {
      p = *list++;
      if (p->more)
	result++;
      if (p->kind == kind)
	{
	  result += p->far[0];
	  break;
	}
      if (p->value == kind)
	{
	  result -= p->far[1];
	  break;
	}
    }
  return result + p->far[2];
}

/* No count can be moved to or from one junction alone.  */
long
arms (struct record *p, int a, int b)
{
  long result = p->kind;
  if (a)
    {
      if (b)
	result += p->value;
      else
	result ^= 3;
    }
  else if (b > 3)
    result -= p->sum;
  if (result > 5)
    return result;
  return result + p->more;
}
