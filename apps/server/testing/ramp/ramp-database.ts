import { createEvmChain, LIVE_EVM_NETWORKS } from '../../src/chains/index.ts'
import { createSealer, ManualClock, silentLog, systemRandomSource } from '../../src/kernel/index.ts'
import { createFieldSealer, createSandboxProvider, type RampParts, sandboxProviderParts } from '../../src/ramp/index.ts'
import type { SandboxProviderParts } from '../../src/ramp/sandbox/parts.ts'
import type { SandboxParts } from '../../src/sandbox/parts.ts'
import { createTokenSender } from '../../src/sandbox/treasury/token-sender.ts'
import { testDatabase } from '../index.ts'
import { newRampClient, RAMP_KEY, type RampClient } from './ramp-client.ts'

/**
 * The ramp with the sandbox's provider on a real database. Its chain has no node: for verbs that move no tokens, in a
 * fraction of the time that `startRampFixture` takes. Time passes only when a test advances it.
 */
export interface RampDatabase {
  readonly parts: RampParts
  readonly provider: SandboxProviderParts
  readonly clock: ManualClock
  organization(options?: { name?: string; verified?: boolean }): Promise<RampClient>
  close(): Promise<void>
}

export async function openRampDatabase(): Promise<RampDatabase> {
  const { db, close } = await testDatabase()
  const clock = new ManualClock(new Date('2026-03-01T12:00:00Z'))
  const common = { db, clock, log: silentLog, random: systemRandomSource }
  const network = LIVE_EVM_NETWORKS.find(({ blockchain }) => blockchain === 'base')!
  const chain = createEvmChain({ network, rpcUrls: ['http://127.0.0.1:9'], clock, log: silentLog })
  const sandbox = new Map([['base', { network }]]) as unknown as SandboxParts['sandbox']
  const tokenSender = createTokenSender({ ...common, sandbox })
  const provider = sandboxProviderParts({ ...common, tokenSender, encryptionKeys: RAMP_KEY, rootKey: RAMP_KEY })
  const parts: RampParts = {
    ...common,
    chains: new Map([['base', chain]]),
    provider: createSandboxProvider(provider),
    sealer: createSealer(RAMP_KEY, 'ramp accounts', systemRandomSource),
    fields: createFieldSealer({ encryptionKeys: RAMP_KEY, indexKey: RAMP_KEY, random: systemRandomSource }),
  }
  return {
    parts,
    provider,
    clock,
    organization: (options) => newRampClient(parts, 'base', options),
    close,
  }
}
