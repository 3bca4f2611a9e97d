import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createNodes } from '../../../agent/src/chains/index.ts'
import { systemClock } from '../../../agent/src/clock.ts'
import { SETTINGS } from '../../../agent/src/config/settings.ts'
import { type Config, ConfigError, readConfig } from '../../../agent/src/config.ts'
import { createHttpSigner, createKeystoreSigner, createKmsSigner } from '../../../agent/src/signers/index.ts'
import { misspelledSettings } from './check-settings.ts'
import { type Finding, ok, problem, type Section, skipped, warning } from './findings.ts'
import { withTimeout } from './with-timeout.ts'

type Env = Readonly<Record<string, string | undefined>>

/** How long each link may take. */
const LIMIT_MS = 10_000
/** Nobody's address: a signer that is asked for it must authenticate, and finds nothing. */
const NOBODY = '0x0000000000000000000000000000000000000000'

/** Checks what the agent's settings name. Signs nothing, leases no work, and writes nothing. */
export async function checkAgent(env: Env, limitMs = LIMIT_MS): Promise<Section[]> {
  const { config, findings } = checkAgentSettings(env)
  const sections: Section[] = [{ name: 'Settings of the agent', findings }]
  if (config === undefined) return sections
  const [service, chains, signer] = await Promise.all([
    checkService(config, limitMs),
    checkNodes(config, limitMs),
    checkSigner(config, limitMs),
  ])
  return [
    ...sections,
    { name: 'Service', findings: service },
    { name: 'Chains', findings: chains },
    { name: 'Signer', findings: [signer] },
    { name: 'Journal', findings: [checkJournal(config)] },
  ]
}

function checkAgentSettings(env: Env): { readonly config?: Config; readonly findings: Finding[] } {
  const misspelled = misspelledSettings(env, Object.values(SETTINGS))
  try {
    const config = readConfig(env)
    const summary = `AGENT_ENV is ${config.environment}, SIGNER is ${config.signer.kind}`
    return { config, findings: [ok(summary), ...misspelled] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const remedy = 'docs/agent-settings.md lists what each setting accepts'
    const wrong = error.problems.map((line) => problem(line, remedy))
    return { findings: [...wrong, ...misspelled, skipped('everything else: it depends on the settings')] }
  }
}

interface Validation {
  readonly valid?: boolean
  readonly message?: string
  readonly scope?: string
  readonly permissions?: readonly string[]
}

async function checkService({ url, apiKey }: Config, limitMs: number): Promise<Finding[]> {
  try {
    const response = await fetch(`${url}/api/core/apikeys/validate`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: '{}',
      redirect: 'error',
      signal: AbortSignal.timeout(limitMs),
    })
    const body = (await response.json()) as { readonly data?: Validation; readonly message?: string }
    if (body.data === undefined) {
      return [problem(`${url} returned ${response.status}: ${body.message ?? 'no message'}`, 'check WEIR_URL')]
    }
    return [ok(`${url} responds`), keyFinding(body.data)]
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : message
    return [problem(`${url} does not respond: ${reason}`, 'check WEIR_URL, and that this host can reach the service')]
  }
}

function keyFinding({ valid, message, permissions = [] }: Validation): Finding {
  const create = 'generate an organization key with the permission agent (docs/api-keys.md)'
  if (!valid) return problem(`WEIR_API_KEY does not work: ${message}`, create)
  if (!permissions.includes('agent')) return problem('WEIR_API_KEY lacks the permission agent', create)
  if (permissions.length > 1) {
    return warning(`WEIR_API_KEY can do more than the agent needs: ${permissions.join(', ')}`, create)
  }
  return ok('WEIR_API_KEY has the permission agent, and no other')
}

async function checkNodes({ allowList, rpcUrls, environment }: Config, limitMs: number): Promise<Finding[]> {
  const nodes = createNodes(allowList, rpcUrls, environment)
  const perChain = await Promise.all(
    [...nodes.values()].map(async ({ blockchain, identityProblems }) => {
      const remedy = `check ${blockchain.toUpperCase()}_RPC_URL (docs/agent-settings.md)`
      try {
        const found = await withTimeout(limitMs, identityProblems())
        if (found.length === 0) return [ok(`${blockchain}: the right chain`)]
        return found.map(({ reason }) => problem(`${blockchain}: ${reason}`, remedy))
      } catch (error) {
        return [problem(`${blockchain}: ${(error as Error).message}`, remedy)]
      }
    }),
  )
  return perChain.flat()
}

async function checkSigner({ signer }: Config, limitMs: number): Promise<Finding> {
  try {
    switch (signer.kind) {
      case 'keystore': {
        if (!existsSync(signer.dir)) return skipped(`${signer.dir}: the first start creates it`)
        await withTimeout(
          limitMs,
          createKeystoreSigner(signer.dir, signer.passphrase, signer.derivation).checkPassphrase(),
        )
        return ok(`the passphrase opens the keys in ${signer.dir}`)
      }
      case 'http':
        await withTimeout(limitMs, createHttpSigner({ ...signer, clock: systemClock }).holds(NOBODY))
        return ok(`${signer.url} responds, and knows SIGNER_SECRET`)
      case 'kms':
        await withTimeout(limitMs, createKmsSigner(signer).holds(NOBODY))
        return ok(`AWS KMS in ${signer.region} lists its keys`)
    }
  } catch (error) {
    return problem((error as Error).message, 'check the settings of the signer (docs/signers.md)')
  }
}

/** The journal counts what was signed: an agent that cannot write it does not start. */
function checkJournal({ dir, journalId }: Config): Finding {
  const journal = join(dir, 'journal.sqlite')
  if (!existsSync(journal)) {
    if (journalId === undefined) return skipped(`${dir}: the first start creates it`)
    return problem(`there is no journal in ${dir}, and JOURNAL_ID demands ${journalId}`, 'restore it (docs/agent.md)')
  }
  try {
    for (const path of [journal, dirname(journal)]) accessSync(path, constants.R_OK | constants.W_OK)
    return ok(`${journal} can be written`)
  } catch {
    return problem(`this user may not write ${journal}`, 'run the agent as the owner of AGENT_DIR')
  }
}
