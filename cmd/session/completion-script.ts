/**
 * Shell completion scripts, which call `cdcctl complete` for the matching words. The answers are names chosen by
 * others: no shell evaluates them, and each inserts them quoted.
 */
const SCRIPTS = {
  // Readline breaks words at = and :, and inserts an answer as it stands. Bash 3.2, macOS's, has no compopt.
  bash: (names: string) => `_cdcctl() {
  local word head= glue= files= answer
  local -a words
  for word in "\${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    word=\${word//[\\\\\\"\\']/}
    if [[ \${#words[@]} -gt 1 && ( $glue || $word == [=:]* ) ]]; then
      words[\${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
    glue=
    if [[ $word == *[=:] ]]; then glue=1; fi
  done
  word=\${words[\${#words[@]}-1]}
  local quote=\${COMP_WORDS[COMP_CWORD]:0:1}
  if [[ $quote != [\\"\\'] ]]; then quote= head=\${word%"\${word##*[=:]}"}; fi
  COMPREPLY=()
  while IFS= read -r answer; do
    if [[ $answer == :files ]]; then files=1; continue; fi
    answer=\${answer#"$head"}
    printf -v word %q "$answer"
    # Nothing can be quoted after an opening quote: offer only words that need no quoting.
    if [[ -z $quote || $word == "$answer" ]]; then COMPREPLY+=("$word"); fi
  done < <(cdcctl complete -- "\${words[@]}" 2>/dev/null </dev/null)
  if [[ -z $files ]]; then compopt +o default 2>/dev/null; fi
}
complete -o default -F _cdcctl ${names}
`,
  zsh: (names: string) => `#compdef ${names}
_cdcctl() {
  local -a answers
  answers=("\${(@f)$(cdcctl complete -- "\${(@Q)words[1,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  local files=\${answers[(r):files]}
  answers=("\${(@)answers:#(:files|)}")
  (( \${#answers} )) && compadd -a answers
  if [[ -n $files ]]; then
    compset -P '--*='
    _files
  fi
}
if [[ "$funcstack[1]" == _cdcctl ]]; then _cdcctl "$@"; else compdef _cdcctl ${names}; fi
`,
  fish: (names: string) => `function __cdcctl_complete
  set -l typed (commandline -ct)
  set -l word (string unescape -- "$typed"; or string trim -l -c '"\\'' -- "$typed")
  set -l answers (cdcctl complete -- (commandline -opc) "$word" 2>/dev/null </dev/null)
  for answer in $answers
    if test "$answer" = :files
      set -l option (string match -r -- '^--[^=]*=' "$word")
      for path in (__fish_complete_path (string replace -- "$option" '' "$word"))
        printf '%s%s\\n' "$option" "$path"
      end
    else
      printf '%s\\n' "$answer"
    end
  end
end
for name in ${names}
  complete -c $name -f -a '(__cdcctl_complete)'
end
`,
} as const;

/** @param programs the names of the programs whose words are completed */
export function completionScript(shell: keyof typeof SCRIPTS, programs: readonly string[]): string {
  return SCRIPTS[shell](programs.join(" "));
}
