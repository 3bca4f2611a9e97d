import type { Config } from '../../../server/src/config.ts'
import { defineCommand, type Result } from '../define-command.ts'
import type { Definer } from '../definer.ts'
import type { Finding, Section } from '../doctor/findings.ts'
import { EXIT, type Shell } from '../shell.ts'

export function defineDoctor({ program, shell, end }: Definer): void {
  defineCommand(
    program,
    { shell, end },
    {
      usage: 'doctor [program]',
      summary: 'Check settings, database, chains, secrets and this host',
      description:
        'Says what to do about each problem that it finds. It checks the settings; the database (writes, version, migrations, pooler, standbys, clock); each RPC endpoint (chain, how many calls it takes in a batch, delay, state of the final block); secrets (guessable ones, and whether they open what the database holds); AWS KMS, the mail server and Redis, where they are set; disk, port and certificate. `agent` checks the custody agent on its host: its settings, API key, RPC endpoints, signer and journal. Run it before the first start and after every change. It writes nothing, sends no email, and prints no secret.',
      arguments: { program: 'whose settings to check; service if absent' },
      choices: { program: ['service', 'agent'] },
      codes: { [EXIT.problems]: 'there are problems; warnings alone are not' },
      examples: [
        { run: 'doctor', does: 'the service, with the settings of this shell' },
        { run: 'doctor agent', does: 'the custody agent' },
      ],
      run: diagnose,
    },
  )
}

async function diagnose(shell: Shell, [program]: readonly string[]): Promise<Result> {
  const { reportLines } = await import('../doctor/findings.ts')
  const sections = program === 'agent' ? await diagnoseAgent(shell) : await diagnoseService(shell)
  const hasProblems = sections.some((section) => section.findings.some(({ status }) => status === 'problem'))
  return {
    json: { ok: !hasProblems, sections },
    lines: reportLines(sections, shell),
    code: hasProblems ? EXIT.problems : EXIT.done,
  }
}

async function diagnoseAgent({ env }: Shell): Promise<Section[]> {
  const { checkAgent } = await import('../doctor/check-agent.ts')
  return await checkAgent(env)
}

async function diagnoseService({ env }: Shell): Promise<Section[]> {
  const { checkSettings } = await import('../doctor/check-settings.ts')
  const { config, findings } = checkSettings(env)
  const sections: Section[] = [{ name: 'Settings', findings }]
  if (config === undefined) return sections
  const { checkDatabase } = await import('../doctor/check-database.ts')
  const { checkChains } = await import('../doctor/check-chains.ts')
  const { checkKeys } = await import('../doctor/check-keys.ts')
  const { checkHost } = await import('../doctor/check-host.ts')
  const { checkVenuesFile } = await import('../doctor/check-venues-file.ts')
  // All is loaded before a check begins: loading holds the processor, and time-outs would pass without their answers.
  const [checkStored, checkOthers] = [await loadStoredValues(config), await loadLinks(config)]
  const [database, chains, stored, linked, host] = await Promise.all([
    checkDatabase(config),
    checkChains(config),
    checkStored(),
    checkOthers(),
    checkHost(config),
  ])
  sections.push({ name: 'Database', findings: database }, { name: 'Chains', findings: chains })
  const venues = await checkVenuesFile(config)
  if (venues.length > 0) sections.push({ name: 'Venues', findings: venues })
  sections.push({ name: 'Secrets', findings: [...checkKeys(config, Date.now()), ...stored] })
  if (linked.length > 0) sections.push({ name: 'Mail and Redis', findings: linked })
  sections.push({ name: 'Host', findings: host })
  return sections
}

type Check = () => Promise<readonly Finding[]>

/** Its parts take a second of the processor to load, so only where there is a database to ask. */
async function loadStoredValues(config: Config): Promise<Check> {
  const { findDatabase } = await import('../doctor/find-database.ts')
  const { url, reason } = await findDatabase(config)
  if (url === undefined)
    return async () => [{ status: 'skipped', message: `whether the keys decrypt what the database holds: ${reason}` }]
  const { checkStoredValues } = await import('../doctor/check-stored-values.ts')
  return () => checkStoredValues(url, config)
}

async function loadLinks(config: Config): Promise<Check> {
  if (config.mail.smtp === undefined && config.redisUrl === undefined) return async () => []
  const { checkLinks } = await import('../doctor/check-links.ts')
  return () => checkLinks(config)
}
