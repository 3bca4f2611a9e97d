import { defineCommand } from '../define-command.ts'
import type { Definer } from '../definer.ts'
import { EXIT } from '../shell.ts'

export function defineVenueCommands({ group, shell, end }: Definer): void {
  defineCommand(
    group('venues', 'The lending venues of the catalogue'),
    { shell, end },
    {
      usage: 'check',
      summary: "Check every venue's contracts on its chain",
      description:
        'Reads from each contract of the catalogue and of VENUES_FILE, on chains with an RPC endpoint, which token it accepts and which shares it issues, and compares that with the catalogue. Each start does the same, and pauses a strategy whose contract accepts a different token. Reads only, and needs no other setting: neither a database nor secrets.',
      codes: { [EXIT.problems]: 'a contract is not what the catalogue says, or could not be read' },
      examples: [{ run: 'venues check', does: 'before you go live, and after a change of endpoints' }],
      async run(own) {
        const { checkVenues } = await import('../doctor/check-venues.ts')
        const { reportLines } = await import('../doctor/findings.ts')
        const sections = await checkVenues(own.env)
        const isFine = sections.every(({ findings }) => findings.every(({ status }) => status !== 'problem'))
        const code = isFine ? EXIT.done : EXIT.problems
        return { json: { ok: isFine, sections }, lines: reportLines(sections, own), code }
      },
    },
  )
}
