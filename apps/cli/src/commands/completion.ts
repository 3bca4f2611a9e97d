import { defineCommand } from '../define-command.ts'
import type { Definer } from '../definer.ts'

/** Each asks `weir __complete` for the words that can come next, so it never gets out of date. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_weir() {
  local IFS=$'\\n'
  COMPREPLY=($(weir __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _weir weir`,
  zsh: `#compdef weir
_weir() {
  local -a lines
  lines=("\${(@f)$(weir __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  lines=("\${(@)lines//:/\\\\:}")
  lines=("\${(@)lines/$'\\t'/:}")
  [[ -n "\${lines[1]}" ]] && _describe 'weir' lines || _files
}
compdef _weir weir`,
  fish: `function __weir_complete
  set -l words (weir __complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if set -q words[1]
    printf '%s\\n' $words
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c weir -f -a '(__weir_complete)'`,
}

export function defineCompletion({ program, shell, end }: Definer): void {
  defineCommand(
    program,
    { shell, end },
    {
      usage: 'completion <shell>',
      summary: 'Print the script that completes commands in your shell',
      description:
        'It completes commands, options and their values, and needs `weir` in your PATH: `ln -s "$PWD/apps/cli/weir.mjs" ~/.local/bin/weir`.',
      arguments: { shell: 'your shell' },
      choices: { shell: Object.keys(SCRIPTS) },
      examples: [
        { run: 'completion bash >> ~/.bashrc', does: 'for every new bash' },
        { run: 'completion zsh >> ~/.zshrc', does: 'for every new zsh, after compinit' },
        { run: 'completion fish > ~/.config/fish/completions/weir.fish', does: 'for fish' },
      ],
      async run(_shell, [name = '']) {
        const script = SCRIPTS[name] ?? ''
        return { json: { shell: name, script }, lines: [script] }
      },
    },
  )
}
