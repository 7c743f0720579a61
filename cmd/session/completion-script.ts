const SCRIPTS = {
  bash: `_cdcctl() {
  local IFS=$'\\n'
  COMPREPLY=( $(cdcctl complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) )
  if [ \${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=( $(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}") ); fi
}
complete -F _cdcctl cdcctl
`,
  zsh: `#compdef cdcctl
_cdcctl() {
  local -a answers
  answers=("\${(@f)$(cdcctl complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${answers[1]}" ]]; then compadd -a answers; else _files; fi
}
if [[ "$funcstack[1]" == _cdcctl ]]; then _cdcctl "$@"; else compdef _cdcctl cdcctl; fi
`,
  fish: `function __cdcctl_complete
  set -l words (commandline -opc) (commandline -ct)
  cdcctl complete -- $words[2..-1] 2>/dev/null
end
complete -c cdcctl -a '(__cdcctl_complete)'
`,
} as const;

/** The script that makes a shell ask \`cdcctl complete\` for the words that fit. */
export function completionScript(shell: keyof typeof SCRIPTS): string {
  return SCRIPTS[shell];
}
