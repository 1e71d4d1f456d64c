/* Completion of command lines by shells, made from the tables of options.
   SPDX-License-Identifier: GPL-3.0-or-later

   For bash and zsh, which takes bash's form by bashcompinit, there is one
   function: it lists the options of the sub-command on the line, or else names
   of files.  fish is told each option on a line of its own.  */

#include "completion.h"
#include <stdio.h>
#include <string.h>

/* The option that every command has is not in its table.  */
#define HELP_OPTION "--help"

/* Print the long options of COMMAND, separated by blanks; an equals sign follows
   those that take a value.  */
static void
print_words (const struct command *command)
{
  for (const struct command_option *option = command->options;
       option->id != 0; option++)
    printf ("--%s%s ", option->name, option->argument != NULL ? "=" : "");
  fputs (HELP_OPTION, stdout);
}

static void
print_bash (const char *program, const struct command *const *commands,
	    size_t count)
{
  printf ("_heapprof_gcov ()\n{\n"
	  "  local word=${COMP_WORDS[COMP_CWORD]} words\n"
	  "  if test \"$COMP_CWORD\" = 1; then\n"
	  "    words='");
  for (size_t i = 0; i < count; i++)
    printf ("%s ", commands[i]->name);
  printf ("--completion= --help --version'\n"
	  "  else\n    case ${COMP_WORDS[1]} in\n");
  for (size_t i = 0; i < count; i++)
    {
      printf ("      %s) words='", commands[i]->name);
      print_words (commands[i]);
      printf ("' ;;\n");
    }
  printf ("    esac\n  fi\n"
	  "  COMPREPLY=()\n"
	  "  if test \"$COMP_CWORD\" = 1 || test \"${word#-}\" != \"$word\"; then\n"
	  "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
	  "    case ${COMPREPLY[0]-} in *=) compopt -o nospace 2>/dev/null ;; esac\n"
	  "  fi\n"
	  "}\n"
	  "complete -o default -F _heapprof_gcov %s\n", program);
}

/* Print TEXT, one line of it, in fish's quotation marks.  */
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
  printf ("complete -c %s -n '__fish_seen_subcommand_from %s' -l %s", program,
	  command->name, option->name);
  if (option->id <= 255)
    printf (" -s %c", option->id);
  fputs (option->argument != NULL ? " -r -d " : " -d ", stdout);
  print_quoted (option->help);
  putchar ('\n');
}

static void
print_fish (const char *program, const struct command *const *commands,
	    size_t count)
{
  static const struct command_option help
    = { OPTION_HELP, "help", NULL, "print the options and exit" };
  for (size_t i = 0; i < count; i++)
    {
      printf ("complete -c %s -n __fish_use_subcommand -a %s -d ", program,
	      commands[i]->name);
      print_quoted (commands[i]->summary);
      putchar ('\n');
      for (const struct command_option *option = commands[i]->options;
	   option->id != 0; option++)
	print_fish_option (program, commands[i], option);
      print_fish_option (program, commands[i], &help);
    }
}

bool
completion_print (const char *shell, const char *program,
		  const struct command *const *commands, size_t count)
{
  if (strcmp (shell, "fish") == 0)
    print_fish (program, commands, count);
  else if (strcmp (shell, "bash") == 0)
    print_bash (program, commands, count);
  else if (strcmp (shell, "zsh") == 0)
    {
      puts ("autoload -U +X bashcompinit && bashcompinit");
      print_bash (program, commands, count);
    }
  else
    return false;
  return true;
}
