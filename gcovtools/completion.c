/* Shell completion of command lines, generated from the option tables.
   SPDX-License-Identifier: GPL-3.0-or-later

   bash and zsh (which runs bash's form through bashcompinit) share one
   function: it lists the options of the sub-command on the line, or file names.
   fish gets one line per option.  */

#include "completion.h"
#include <stdio.h>
#include <string.h>

/* Every command has this option; it is not in the tables.  */
#define HELP_OPTION "--help"

/* Print the long options of COMMAND, separated by spaces; an equals sign
   follows those that take a value.  */
static void
print_words (const struct command *command)
{
  for (const struct command_option *option = command->options; option->id != 0;
       option++)
    printf ("--%s%s ", option->name,
	    command_option_needs_argument (option) ? "=" : "");
  fputs (HELP_OPTION, stdout);
}

/* Return the name of COMMAND without its parent's name.  */
static const char *
last_word (const struct command *command)
{
  const char *blank = strchr (command->name, ' ');
  return blank != NULL ? blank + 1 : command->name;
}

/* Print the shell case for COMMAND.  If it has sub-commands, they are the first
   words, and each has a nested case for its options.  */
static void
print_bash_case (const struct command *command)
{
  printf ("      %s) ", last_word (command));
  if (command->commands == NULL)
    printf ("words='");
  else
    {
      printf ("if test \"$COMP_CWORD\" = 2; then\n\twords='");
      for (size_t i = 0; command->commands[i] != NULL; i++)
	printf ("%s ", last_word (command->commands[i]));
    }
  print_words (command);
  putchar ('\'');
  if (command->commands != NULL)
    {
      printf (" names=1\n      else\n      case ${COMP_WORDS[2]} in\n");
      for (size_t i = 0; command->commands[i] != NULL; i++)
	print_bash_case (command->commands[i]);
      printf ("      esac; fi");
    }
  printf (" ;;\n");
}

static void
print_bash (const struct command *const *commands, size_t count)
{
  printf ("_heapprof_gcov ()\n{\n"
	  "  local word=${COMP_WORDS[COMP_CWORD]} words= names=\n"
	  "  if test \"$COMP_CWORD\" = 1; then\n"
	  "    names=1 words='");
  for (size_t i = 0; i < count; i++)
    printf ("%s ", commands[i]->name);
  printf ("--completion= --help --no-pager --version'\n"
	  "  else\n    case ${COMP_WORDS[1]} in\n");
  for (size_t i = 0; i < count; i++)
    print_bash_case (commands[i]);
  printf (
    "    esac\n  fi\n"
    "  COMPREPLY=()\n"
    "  if test -n \"$names\" || test \"${word#-}\" != \"$word\"; then\n"
    "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
    "    case ${COMPREPLY[0]-} in *=) compopt -o nospace 2>/dev/null ;; esac\n"
    "  fi\n"
    "}\n");
}

/* Text for the start-up file of a shell, or in bash for an installed file.  */
static void
print_bash_start (const char *program)
{
  printf ("complete -o default -F _heapprof_gcov %s\n", program);
}

/* The same in zsh.  A file that is installed is the body of the function
   _heapprof-gcov, which is called for each completion.  */
static void
print_zsh_start (const char *program)
{
  printf ("if test \"${funcstack[1]-}\" = _%s; then\n"
	  "  _bash_complete -o default -F _heapprof_gcov\n"
	  "else\n"
	  "  complete -o default -F _heapprof_gcov %s\n"
	  "fi\n",
	  program, program);
}

/* Print the first line of TEXT in fish's quotation marks.  */
static void
print_quoted (const char *text)
{
  putchar ('\'');
  for (; *text != '\0' && *text != '\n'; text++)
    {
      if (*text == '\'' || *text == '\\')
	putchar ('\\');
      putchar (*text);
    }
  putchar ('\'');
}

static void
print_fish_option (const char *program, const struct command *command,
		   const struct command_option *option)
{
  printf ("complete -c %s -n '__heapprof_gcov_at %s' -l %s", program,
	  command->name, option->name);
  if (option->id <= 255)
    printf (" -s %c", option->id);
  fputs (command_option_needs_argument (option) ? " -r -d " : " -d ", stdout);
  print_quoted (option->help);
  putchar ('\n');
}

static void
print_fish_command (const char *program, const struct command *command,
		    const char *condition)
{
  static const struct command_option help
    = { OPTION_HELP, "help", NULL, "print the options and exit" };
  printf ("complete -c %s -n %s -a %s -d ", program, condition,
	  last_word (command));
  print_quoted (command->summary);
  putchar ('\n');
  for (const struct command_option *option = command->options; option->id != 0;
       option++)
    print_fish_option (program, command, option);
  print_fish_option (program, command, &help);
  if (command->commands == NULL)
    return;
  char first[100];
  snprintf (first, sizeof first,
	    "'__heapprof_gcov_at %s; and test (count (commandline -opc)) = 2'",
	    command->name);
  for (size_t i = 0; command->commands[i] != NULL; i++)
    print_fish_command (program, command->commands[i], first);
}

static void
print_fish (const char *program, const struct command *const *commands,
	    size_t count)
{
  /* True if the command on the line is $argv, one word or two.  */
  puts ("function __heapprof_gcov_at\n"
	"  set -l words (commandline -opc)\n"
	"  set -e words[1]\n"
	"  for i in (seq (count $argv))\n"
	"    test \"$words[$i]\" = \"$argv[$i]\"; or return 1\n"
	"  end\n"
	"end");
  for (size_t i = 0; i < count; i++)
    print_fish_command (program, commands[i], "__fish_use_subcommand");
}

bool
completion_print (const char *shell, const char *program,
		  const struct command *const *commands, size_t count)
{
  if (strcmp (shell, "fish") == 0)
    print_fish (program, commands, count);
  else if (strcmp (shell, "bash") == 0)
    {
      print_bash (commands, count);
      print_bash_start (program);
    }
  else if (strcmp (shell, "zsh") == 0)
    {
      printf ("#compdef %s\nautoload -U +X bashcompinit && bashcompinit\n",
	      program);
      print_bash (commands, count);
      print_zsh_start (program);
    }
  else
    return false;
  return true;
}
