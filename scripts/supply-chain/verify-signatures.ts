// Compares the installed packages with the registry's signatures: npm audit signatures. CI runs it.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface SignatureVerdict {
  /** `unknown`: the comparison did not take place. */
  readonly outcome: 'verified' | 'failed' | 'unknown'
  readonly lines: readonly string[]
}

/** What npm's output with `--json` means. */
export function signatureVerdict(status: number | null, output: string): SignatureVerdict {
  const report = parse(output)
  const named = (list: unknown, what: string): string[] =>
    Array.isArray(list) ? list.map((one) => `${String(one?.name)}@${String(one?.version)} ${what}`) : []
  const problems = [
    ...named(report?.invalid, 'has an invalid signature'),
    ...named(report?.missing, 'has no signature'),
  ]
  if (problems.length > 0) return { outcome: 'failed', lines: problems }
  const isReport = Array.isArray(report?.invalid) && Array.isArray(report.missing)
  if (status === 0 && isReport) return { outcome: 'verified', lines: ['npm audit signatures: every package verified'] }
  const rule = '!'.repeat(78)
  return {
    outcome: 'unknown',
    lines: [
      rule,
      'npm audit signatures DID NOT RUN: the signatures of the packages were NOT verified.',
      'It needs the registry. Run it where the registry can be reached, before a release.',
      rule,
    ],
  }
}

function parse(output: string): { invalid?: unknown; missing?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(output)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

if (import.meta.main) {
  const { status, stdout } = spawnSync('npm', ['audit', 'signatures', '--json'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    encoding: 'utf8',
    timeout: 300_000,
  })
  const { outcome, lines } = signatureVerdict(status, stdout ?? '')
  for (const line of lines) process.stdout.write(`${line}\n`)
  process.exitCode = outcome === 'failed' ? 1 : 0
}
