/* A small interpreter: a stack machine whose values are numbers, and strings,
   pairs and tables on the heap with reference counts.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: interpreter ROUNDS

   A round assembles the program below from its text and runs it: recursive
   calls, building and reversing a list, a table of numbers, and a table of
   words that are made by concatenation.  */

#include "workload.h"
#include <stddef.h>
#include <string.h>

enum limits
{
  STACK_VALUES = 4096,
  FRAMES = 512,
  INSTRUCTIONS = 256,
  LABELS = 64,
  WORD_BYTES = 16
};

enum type
{
  NIL,
  NUMBER,
  STRING,
  PAIR,
  TABLE
};

struct object
{
  enum type type;
  unsigned references;
};

struct value
{
  enum type type;
  union
  {
    int64_t number;
    struct object *object;
  };
};

struct string
{
  struct object head;
  uint64_t hash;
  size_t length;
  char text[];
};

struct pair
{
  struct object head;
  struct value first;
  struct value second;
};

struct slot
{
  struct value key; /* NIL: free */
  struct value value;
};

/* Open addressing; SIZE is a power of two and USED at most half of it.  */
struct table
{
  struct object head;
  size_t used;
  size_t size;
  struct slot *slots;
};

enum operation
{
  CONSTANT, /* push A */
  WORD,	    /* push "word" */
  LOAD,	    /* push local A */
  STORE,    /* pop to local A */
  ENTER,    /* push A nils: the function's own locals */
  ADD,
  SUBTRACT,
  MULTIPLY,
  REMAINDER,
  LESS,
  IS_NIL,
  JOIN, /* concatenate a string and a number */
  CONS,
  HEAD,
  TAIL,
  NEW_TABLE,
  GET, /* table key -> value */
  SET, /* table key value -> */
  JUMP,
  UNLESS, /* pop; jump if it is 0 or nil */
  CALL,	  /* function at A, B arguments on the stack */
  RETURN, /* pop the result and drop the frame */
  OPERATIONS
};

static const char *const names[OPERATIONS]
  = { "constant", "word",     "load",	   "store",	"enter",  "add",
      "subtract", "multiply", "remainder", "less",	"is-nil", "join",
      "cons",	  "head",     "tail",	   "new-table", "get",	  "set",
      "jump",	  "unless",   "call",	   "return" };

struct instruction
{
  enum operation operation;
  int a;
  int b;
};

struct frame
{
  size_t base;
  size_t back; /* instruction to go on at */
};

struct machine
{
  struct value *stack;
  size_t top;
  struct frame *frames;
  size_t depth;
  struct instruction *code;
};

/* main -> fibonacci (17) + list sum + table sum + word count.  */
static const char program[]
  = "main: constant 17 ; call fibonacci 1 ; constant 700 ; call list 1 ; add ;"
    " constant 1500 ; call squares 1 ; add ; constant 2500 ; call words 1 ; add ;"
    " return ;\n"
    "fibonacci: load 0 ; constant 2 ; less ; unless fibonacci-more ; load 0 ;"
    " return ;\n"
    "fibonacci-more: load 0 ; constant 1 ; subtract ; call fibonacci 1 ;"
    " load 0 ; constant 2 ; subtract ; call fibonacci 1 ; add ; return ;\n"
    "list: enter 2 ;\n"
    "list-make: load 0 ; unless list-reverse ; load 0 ; load 1 ; cons ; store 1 ;"
    " load 0 ; constant 1 ; subtract ; store 0 ; jump list-make ;\n"
    "list-reverse: load 1 ; is-nil ; unless list-step ; load 2 ; call sum 1 ;"
    " return ;\n"
    "list-step: load 1 ; head ; load 2 ; cons ; store 2 ; load 1 ; tail ;"
    " store 1 ; jump list-reverse ;\n"
    "sum: enter 1 ; constant 0 ; store 1 ;\n"
    "sum-step: load 0 ; is-nil ; unless sum-more ; load 1 ; return ;\n"
    "sum-more: load 1 ; load 0 ; head ; add ; store 1 ; load 0 ; tail ; store 0 ;"
    " jump sum-step ;\n"
    "squares: enter 2 ; new-table ; store 1 ; constant 0 ; store 2 ;\n"
    "squares-fill: load 2 ; load 0 ; less ; unless squares-add ;"
    " load 1 ; load 2 ; load 2 ; load 2 ; multiply ; set ;"
    " load 2 ; constant 1 ; add ; store 2 ; jump squares-fill ;\n"
    "squares-add: enter 1 ; constant 0 ; store 3 ;\n"
    "squares-step: load 2 ; unless squares-end ; load 2 ; constant 1 ; subtract ;"
    " store 2 ; load 3 ; load 1 ; load 2 ; get ; add ; store 3 ;"
    " jump squares-step ;\n"
    "squares-end: load 3 ; return ;\n"
    "words: enter 2 ; new-table ; store 1 ;\n"
    "words-step: load 0 ; unless words-end ;"
    " word ; load 0 ; constant 97 ; remainder ; join ; store 2 ;"
    " load 1 ; load 2 ; load 1 ; load 2 ; get ; constant 1 ; add ; set ;"
    " load 0 ; constant 1 ; subtract ; store 0 ; jump words-step ;\n"
    "words-end: load 1 ; word ; constant 13 ; join ; get ; return ;";

static void
stop (const char *why)
{
  fprintf (stderr, "interpreter: %s\n", why);
  exit (1);
}

/* Objects.  */

static struct value
number (int64_t n)
{
  return (struct value){ .type = NUMBER, .number = n };
}

static struct value
retain (struct value v)
{
  if (v.type > NUMBER)
    v.object->references++;
  return v;
}

static void release (struct value v);

static void
release_table (struct table *table)
{
  for (size_t i = 0; i < table->size; i++)
    {
      release (table->slots[i].key);
      release (table->slots[i].value);
    }
  free (table->slots);
}

/* Lists are released along their second parts, without recursion.  */

static void
release (struct value v)
{
  while (v.type > NUMBER && --v.object->references == 0)
    {
      struct object *const object = v.object;
      v = (struct value){ .type = NIL };
      if (object->type == TABLE)
	release_table ((struct table *) object);
      else if (object->type == PAIR)
	{
	  release (((struct pair *) object)->first);
	  v = ((struct pair *) object)->second;
	}
      free (object);
    }
}

static struct value
new_object (enum type type, size_t bytes)
{
  struct object *const object = workload_block (malloc (bytes));
  object->type = type;
  object->references = 1;
  return (struct value){ .type = type, .object = object };
}

static struct value
new_string (const char *text, size_t length)
{
  const struct value v = new_object (STRING, sizeof (struct string) + length);
  struct string *const string = (struct string *) v.object;
  string->length = length;
  memcpy (string->text, text, length);
  string->hash = length;
  for (size_t i = 0; i < length; i++)
    string->hash = workload_mix (string->hash, (unsigned char) text[i]);
  return v;
}

static struct value
join (struct value left, struct value right)
{
  if (left.type != STRING || right.type != NUMBER)
    stop ("join of other values");
  const struct string *const string = (struct string *) left.object;
  char text[64];
  const int length
    = snprintf (text, sizeof text, "%.*s-%lld", (int) string->length,
		string->text, (long long) right.number);
  release (left);
  return new_string (text, (size_t) length);
}

static struct value
cons (struct value first, struct value second)
{
  const struct value v = new_object (PAIR, sizeof (struct pair));
  ((struct pair *) v.object)->first = first;
  ((struct pair *) v.object)->second = second;
  return v;
}

static struct value
part (struct value v, size_t offset)
{
  if (v.type != PAIR)
    stop ("not a pair");
  const struct value found
    = retain (*(struct value *) ((char *) v.object + offset));
  release (v);
  return found;
}

/* Tables.  */

static struct value
new_table (size_t size)
{
  const struct value v = new_object (TABLE, sizeof (struct table));
  struct table *const table = (struct table *) v.object;
  table->used = 0;
  table->size = size;
  table->slots = workload_block (calloc (size, sizeof *table->slots));
  return v;
}

static struct table *
as_table (struct value v)
{
  if (v.type != TABLE)
    stop ("not a table");
  return (struct table *) v.object;
}

static uint64_t
hash_of (struct value key)
{
  return key.type == STRING ? ((struct string *) key.object)->hash
			    : workload_mix (0, (uint64_t) key.number);
}

static int
same (struct value a, struct value b)
{
  if (a.type != b.type)
    return 0;
  if (a.type != STRING)
    return a.number == b.number;
  const struct string *const s = (struct string *) a.object;
  const struct string *const t = (struct string *) b.object;
  return s->hash == t->hash && s->length == t->length
	 && memcmp (s->text, t->text, s->length) == 0;
}

static struct slot *
find_slot (const struct table *table, struct value key)
{
  size_t i = hash_of (key);
  while (table->slots[i &= table->size - 1].key.type != NIL
	 && !same (table->slots[i].key, key))
    i++;
  return &table->slots[i];
}

static void
grow (struct table *table)
{
  const struct table old = *table;
  table->size *= 2;
  table->slots = workload_block (calloc (table->size, sizeof *table->slots));
  for (size_t i = 0; i < old.size; i++)
    if (old.slots[i].key.type != NIL)
      *find_slot (table, old.slots[i].key) = old.slots[i];
  free (old.slots);
}

/* Consumes all three arguments.  */

static void
set (struct value container, struct value key, struct value value)
{
  struct table *const table = as_table (container);
  if (table->used * 2 >= table->size)
    grow (table);
  struct slot *const slot = find_slot (table, key);
  if (slot->key.type == NIL)
    {
      table->used++;
      slot->key = retain (key);
    }
  release (slot->value);
  slot->value = value;
  release (key);
  release (container);
}

/* A missing value is the number 0.  */

static struct value
get (struct value container, struct value key)
{
  const struct slot *const slot = find_slot (as_table (container), key);
  const struct value found
    = slot->key.type == NIL ? number (0) : retain (slot->value);
  release (key);
  release (container);
  return found;
}

/* The machine.  */

static void
push (struct machine *m, struct value v)
{
  if (m->top == STACK_VALUES)
    stop ("stack overflow");
  m->stack[m->top++] = v;
}

static struct value
pop (struct machine *m)
{
  return m->stack[--m->top];
}

static int64_t
pop_number (struct machine *m)
{
  const struct value v = pop (m);
  if (v.type != NUMBER)
    stop ("not a number");
  return v.number;
}

static struct value
arithmetic (enum operation operation, int64_t a, int64_t b)
{
  switch (operation)
    {
    case ADD:
      return number (a + b);
    case SUBTRACT:
      return number (a - b);
    case MULTIPLY:
      return number (a * b);
    case REMAINDER:
      return number (a % b);
    default:
      return number (a < b);
    }
}

static size_t
enter_function (struct machine *m, const struct instruction *i, size_t back)
{
  if (m->depth == FRAMES)
    stop ("too many calls");
  m->frames[m->depth++] = (struct frame){ m->top - (size_t) i->b, back };
  return (size_t) i->a;
}

static size_t
leave_function (struct machine *m)
{
  const struct value result = pop (m);
  const struct frame frame = m->frames[--m->depth];
  while (m->top > frame.base)
    release (pop (m));
  push (m, result);
  return frame.back;
}

static int
is_false (struct value v)
{
  const int no = v.type == NIL || (v.type == NUMBER && v.number == 0);
  release (v);
  return no;
}

static int64_t
run (struct machine *m)
{
  const struct instruction start = { .operation = CALL };
  size_t next = enter_function (m, &start, INSTRUCTIONS);
  while (next < INSTRUCTIONS)
    {
      const struct instruction *const i = &m->code[next++];
      struct value *const locals = &m->stack[m->frames[m->depth - 1].base];
      struct value v, w;
      switch (i->operation)
	{
	case CONSTANT:
	  push (m, number (i->a));
	  break;
	case WORD:
	  push (m, new_string ("word", 4));
	  break;
	case LOAD:
	  push (m, retain (locals[i->a]));
	  break;
	case STORE:
	  release (locals[i->a]);
	  locals[i->a] = pop (m);
	  break;
	case ENTER:
	  for (int n = 0; n < i->a; n++)
	    push (m, (struct value){ .type = NIL });
	  break;
	case IS_NIL:
	  v = pop (m);
	  push (m, number (v.type == NIL));
	  release (v);
	  break;
	case JOIN:
	  v = pop (m);
	  push (m, join (pop (m), v));
	  break;
	case CONS:
	  v = pop (m);
	  push (m, cons (pop (m), v));
	  break;
	case HEAD:
	  push (m, part (pop (m), offsetof (struct pair, first)));
	  break;
	case TAIL:
	  push (m, part (pop (m), offsetof (struct pair, second)));
	  break;
	case NEW_TABLE:
	  push (m, new_table (8));
	  break;
	case GET:
	  v = pop (m);
	  push (m, get (pop (m), v));
	  break;
	case SET:
	  v = pop (m);
	  w = pop (m);
	  set (pop (m), w, v);
	  break;
	case JUMP:
	  next = (size_t) i->a;
	  break;
	case UNLESS:
	  if (is_false (pop (m)))
	    next = (size_t) i->a;
	  break;
	case CALL:
	  next = enter_function (m, i, next);
	  break;
	case RETURN:
	  next = leave_function (m);
	  break;
	default:
	  v = number (pop_number (m));
	  push (m, arithmetic (i->operation, pop_number (m), v.number));
	}
    }
  return pop_number (m);
}

/* The assembler: words between blanks, `;' ends an instruction, `NAME:' is a
   label.  */

struct label
{
  char name[WORD_BYTES];
  int at;
};

struct assembler
{
  struct label labels[LABELS];
  int label_count;
  struct instruction *code;
  int count;
};

/* Read the next word of *TEXT; false at the end.  */

static int
next_word (const char **text, char word[WORD_BYTES])
{
  int used;
  if (sscanf (*text, "%15s%n", word, &used) != 1)
    return 0;
  *text += used;
  return 1;
}

/* A number, or a label's position; 0 if it is not known yet.  */

static int
operand_of (const struct assembler *assembler, const char *word)
{
  for (int i = 0; i < assembler->label_count; i++)
    if (strcmp (assembler->labels[i].name, word) == 0)
      return assembler->labels[i].at;
  return atoi (word);
}

static enum operation
operation_of (const char *word)
{
  for (int i = 0; i < OPERATIONS; i++)
    if (strcmp (names[i], word) == 0)
      return (enum operation) i;
  stop (word);
  return OPERATIONS;
}

static void
add_label (struct assembler *assembler, const char *word, size_t length)
{
  if (assembler->label_count == LABELS)
    stop ("too many labels");
  struct label *const label = &assembler->labels[assembler->label_count++];
  memcpy (label->name, word, length);
  label->name[length] = '\0';
  label->at = assembler->count;
}

static void
assemble_once (struct assembler *assembler, const char *text)
{
  char word[WORD_BYTES];
  assembler->count = 0;
  while (next_word (&text, word))
    {
      const size_t length = strlen (word);
      if (word[length - 1] == ':')
	{
	  add_label (assembler, word, length - 1);
	  continue;
	}
      struct instruction i = { .operation = operation_of (word) };
      int *operand = &i.a;
      while (next_word (&text, word) && strcmp (word, ";") != 0)
	{
	  *operand = operand_of (assembler, word);
	  operand = &i.b;
	}
      if (assembler->count == INSTRUCTIONS)
	stop ("program too long");
      assembler->code[assembler->count++] = i;
    }
}

/* Assemble twice: the second time, all labels are known.  */

static struct instruction *
assemble (const char *text)
{
  struct assembler assembler = { .label_count = 0 };
  assembler.code
    = workload_block (calloc (INSTRUCTIONS, sizeof *assembler.code));
  assemble_once (&assembler, text);
  assemble_once (&assembler, text);
  return assembler.code;
}

int
main (int argc, char **argv)
{
  const unsigned long rounds = workload_argument (argc, argv, 1, 1200);
  struct machine m = { .code = assemble (program) };
  m.stack = workload_block (malloc (STACK_VALUES * sizeof *m.stack));
  m.frames = workload_block (malloc (FRAMES * sizeof *m.frames));
  uint64_t sum = 0;
  for (unsigned long i = 0; i < rounds; i++)
    sum = workload_mix (sum, (uint64_t) run (&m));
  free (m.frames);
  free (m.stack);
  free (m.code);
  workload_report (sum);
  return 0;
}
