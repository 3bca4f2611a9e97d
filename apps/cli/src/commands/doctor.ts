import { defineCommand, type Result } from '../define-command.ts'
import type { Definer } from '../definer.ts'
import type { Section } from '../doctor/findings.ts'
import { EXIT, type Shell } from '../shell.ts'

export function defineDoctor({ program, shell, end }: Definer): void {
  defineCommand(
    program,
    { shell, end },
    {
      usage: 'doctor',
      summary: 'Check settings, database, chains, secrets and this host',
      description:
        'Says what to do about each problem that it finds. It checks the settings; the database (writes, version, migrations, pooler, standbys, clock); each RPC endpoint (chain, batches, delay, state of the final block); guessable secrets; disk, port and certificate. Run it before the first start and after every change. It writes nothing, and prints no secret.',
      codes: { [EXIT.problems]: 'there are problems; warnings alone are not' },
      examples: [{ run: 'doctor', does: 'with the settings of this shell' }],
      run: diagnose,
    },
  )
}

async function diagnose(shell: Shell): Promise<Result> {
  const { checkSettings } = await import('../doctor/check-settings.ts')
  const { reportLines } = await import('../doctor/findings.ts')
  const { config, findings } = checkSettings(shell.env)
  const sections: Section[] = [{ name: 'Settings', findings }]
  if (config !== undefined) {
    const { checkDatabase } = await import('../doctor/check-database.ts')
    const { checkChains } = await import('../doctor/check-chains.ts')
    const { checkKeys } = await import('../doctor/check-keys.ts')
    const { checkHost } = await import('../doctor/check-host.ts')
    const { checkVenuesFile } = await import('../doctor/check-venues-file.ts')
    const [database, chains, host] = await Promise.all([checkDatabase(config), checkChains(config), checkHost(config)])
    sections.push({ name: 'Database', findings: database }, { name: 'Chains', findings: chains })
    const venues = await checkVenuesFile(config)
    if (venues.length > 0) sections.push({ name: 'Venues', findings: venues })
    sections.push({ name: 'Secrets', findings: checkKeys(config, Date.now()) }, { name: 'Host', findings: host })
  }
  const hasProblems = sections.some((section) => section.findings.some(({ status }) => status === 'problem'))
  return {
    json: { ok: !hasProblems, sections },
    lines: reportLines(sections, shell),
    code: hasProblems ? EXIT.problems : EXIT.done,
  }
}
