import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { defineAuditCommands } from './commands/audit.ts'
import { defineBreakCommands } from './commands/breaks.ts'
import { defineCompletion } from './commands/completion.ts'
import { defineDatabaseCommands } from './commands/database.ts'
import { defineDoctor } from './commands/doctor.ts'
import { defineHostCommands } from './commands/host.ts'
import { defineKeyCommands } from './commands/keys.ts'
import { defineListen } from './commands/listen.ts'
import { defineLogCommands } from './commands/logs.ts'
import { definePrograms } from './commands/programs.ts'
import { defineTrigger } from './commands/trigger.ts'
import { defineVenueCommands } from './commands/venues.ts'
import type { Definer } from './definer.ts'
import { pagesPlace } from './pages-place.ts'
import type { Shell } from './shell.ts'

/** Every part of Weir has the same version, which `/health` reports, too. */
function version(): string {
  const file = new URL('../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

const SETTINGS_AND_CODES = `
Settings are environment variables, as for the service (docs/settings.md). Commands that call a service use the sandbox
that runs from DATA_DIR (.data), or WEIR_URL with WEIR_API_KEY.

Exit codes: 0 done, 1 something is wrong, 2 wrong arguments or settings, 3 it could not be done. Details: docs/cli.md.`

/** The tree of all commands. Nothing is loaded that only one of them needs. */
export function createProgram(
  shell: Shell,
  end: (code: number) => void,
  complain: (line: string) => void = (line) => shell.err(line),
): Command {
  const program = new Command('weir')
    .description('Weir on the command line: check an installation, run it, and test what you build on it.')
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('(see --help)')
    .showSuggestionAfterError()
    .helpCommand(false)
    .helpOption('-h, --help', 'show this')
    .version(version(), '-V, --version', 'print the version')
    .configureOutput({
      writeOut: (text) => shell.out(text.replace(/\n$/, '')),
      writeErr: (text) => complain(text.replace(/\n$/, '')),
      getOutHelpWidth: () => Math.min(shell.columns ?? 100, 100),
      getErrHelpWidth: () => Math.min(shell.columns ?? 100, 100),
      outputError: (text, write) => write(text.replace(/^error: /, 'weir: ')),
    })
    .configureHelp({ styleTitle: (title) => shell.paint('bold', title) })
  const definer: Definer = {
    program,
    shell,
    end,
    group: (name, summary) => program.command(name).summary(summary).description(summary),
  }
  program.commandsGroup('Run:')
  definePrograms(definer)
  program.commandsGroup('Check:')
  defineDoctor(definer)
  defineVenueCommands(definer)
  defineAuditCommands(definer)
  program.commandsGroup('Operate:')
  defineDatabaseCommands(definer)
  defineHostCommands(definer)
  defineBreakCommands(definer)
  program.commandsGroup('Build:')
  defineListen(definer)
  defineTrigger(definer)
  defineLogCommands(definer)
  defineKeyCommands(definer)
  program.commandsGroup('Shell:')
  defineCompletion(definer)
  program.addHelpText('after', () => [SETTINGS_AND_CODES, ...pagesPlace(SETTINGS_AND_CODES)].join('\n'))
  return program
}
