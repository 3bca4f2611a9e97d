// Writes docs/cli.md from the tree of commands. A test compares the two.
import { writeFileSync } from 'node:fs'
import { SIGNS_IN } from '../../apps/cli/src/as-member.ts'
import { ON_THE_HOST } from '../../apps/cli/src/commands/host.ts'
import { factsOf } from '../../apps/cli/src/define-command.ts'
import { createProgram } from '../../apps/cli/src/program.ts'
import { openShell } from '../../apps/cli/src/shell.ts'
import { linkPages } from './link-pages.ts'

type Command = ReturnType<typeof createProgram>

/** Options that the page explains once for all commands. */
const COMMON = new Set(['--json', '--url', '--yes'])
/** Commands that the package refuses; a test compares them with deploy/package/weir.mjs. */
export const OF_A_CLONE: readonly string[] = ['chains', 'tour', 'simulate', 'bench']
const file = new URL('../../docs/cli.md', import.meta.url)

/** The expected content of docs/cli.md. */
export function cliDocument(): string {
  const program = createProgram(openShell(), () => {})
  const all = leaves(program)
  const withoutJson = all.filter((command) => !command.options.some(({ long }) => long === '--json'))
  return `# Command line

<!-- about: Every command of weir, with its options, examples and exit codes. -->

<!-- Written by scripts/documents/write-cli-doc.ts from the commands in apps/cli. -->

## How do I run a command?

Every page writes \`weir doctor\`. Where Weir runs:

| Installed as | \`weir doctor\` is |
|---|---|
| a clone | \`npm run -s weir -- doctor\`; or once \`ln -s "$PWD/apps/cli/weir.mjs" ~/.local/bin/weir\`, then \`weir doctor\` |
| [the package](install.md#how-do-i-build-the-package) | \`npx weir doctor\`; installed globally, \`weir doctor\` |
| [systemd](install-systemd.md) | \`weir doctor\`, as root: that page installs it with the settings of the unit |
| [Docker](install-docker.md) | \`docker exec weir node weir.mjs doctor\` |
| [Compose](install-compose.md) | \`docker compose -f live.yaml --env-file live.env exec worker node weir.mjs doctor\` |
| [Kubernetes](install-kubernetes.md) | \`kubectl -n weir exec deployment/weir-worker -- node weir.mjs doctor\` |

A command in a container or pod has the settings of the service there. Add \`--yes\` to those that ask. A worker serves no
API: commands that call the service, such as \`keys\` and \`breaks\`, run in \`api\` instead, with
\`--url http://127.0.0.1:3000\`, or anywhere with \`--url\` and the public address.

${listed(OF_A_CLONE)} need a clone: every other installation refuses them.

## What do all commands have in common?

- \`--help\` explains a command with examples. \`weir completion\` prints completion for bash, zsh and fish.
  \`weir --version\` prints the version; \`GET /health\` returns that of the service that runs.
- \`--json\` prints one JSON value on stdout, even for an error: \`{"error": {"messages": [...]}}\`. What runs until Ctrl-C
  prints one object per line. ${listed(withoutJson.map((command) => command.name()))}
  lack it: they print in their own form.
- Run commands on the host with the service's [settings](settings.md). What needs its database takes the one of
  DATABASE_URL, or under DATA_DIR: \`.data\` of the repository, wherever you call the command. \`invite\`,
  \`owner recover\`, \`domain approve\` and \`organization erase\` may run beside the service.
- Only a terminal shows colors (not with \`NO_COLOR\`) and questions. \`--yes\` answers them; elsewhere a command that would
  ask needs it, and changes nothing without it.

| Exit code | Means |
|---|---|
| 0 | done; nothing wrong was found |
| 1 | the command did its work and found something wrong |
| 2 | wrong arguments or settings; nothing was done |
| 3 | the command could not do its work, for example because the service did not respond |
| 130 | interrupted by Ctrl-C; commands that run until then return 0 |

Commands without \`--json\` are programs of their own, with the exit codes that their sections name.

## How does a command find the service?

| Variable | Means |
|---|---|
| \`WEIR_URL\` | address of the service, like \`--url\`; by default the sandbox that runs from DATA_DIR |
| \`WEIR_API_KEY\`, \`WEIR_API_KEY_FILE\` | the organization's API key, or a file with it |
| \`WEIR_ACCESS_TOKEN\` | the access token of a session, for what members do, such as \`keys\` and \`breaks\` |
| \`WEIR_EMAIL\`, \`WEIR_PASSWORD\` | a member to sign in for one command; the password is asked for if unset |
| \`WEBHOOK_SECRET\` | signs what \`listen\` forwards |

Without any of these, commands use the sandbox's credentials, at its own address only. Credentials are never arguments:
other users of the machine could read those.

${all.map(section).join('\n\n')}
`
}

/** `a`, `b` and `c`. */
function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``)
  return `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

function section(command: Command): string {
  const { examples, codes } = factsOf(command)
  const facts = [
    ...command.registeredArguments.map((argument) => [
      nameOf(argument),
      withChoices(argument.description, argument.argChoices, command.description()),
    ]),
    ...command.options
      .filter(({ long }) => !COMMON.has(long ?? ''))
      .map((option) => [option.flags, withChoices(option.description, option.argChoices, '')]),
  ]
  const described = command.description().replace(` ${SIGNS_IN}`, '').replace(` ${ON_THE_HOST}`, '')
  const place = OF_A_CLONE.includes(command.name()) ? ' Needs a clone.' : ''
  const list = facts.map(([name, does]) => `- \`${name}\`: ${does}`)
  return [
    `## ${pathOf(command)}`,
    '',
    `**${command.summary()}.** ${linkPages(described)}${place}`,
    ...(list.length > 0 ? ['', ...list] : []),
    ...Object.entries(codes).flatMap(([code, means]) => ['', `Exit code ${code}: ${means}.`]),
    '',
    '```',
    ...examples.flatMap(({ run, does }) => [`# ${does}`, `weir ${run}`]),
    '```',
  ].join('\n')
}

/** As a usage shows it: `<required>`, `[optional]`, `[several...]`. */
function nameOf(argument: Command['registeredArguments'][number]): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name()
  return argument.required ? `<${name}>` : `[${name}]`
}

/** With the values, unless the text above names each. */
function withChoices(description: string, choices: readonly string[] | undefined, above: string): string {
  return choices?.some((choice) => !above.includes(`\`${choice}\``))
    ? `${description}: ${choices.join(', ')}`
    : description
}

if (import.meta.main) writeFileSync(file, cliDocument())
