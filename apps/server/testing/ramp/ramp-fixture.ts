import type { Blockchain } from '../../src/chains/index.ts'
import { createSealer, ManualClock, silentLog, systemRandomSource } from '../../src/kernel/index.ts'
import type { Parts } from '../../src/operations/index.ts'
import {
  createFieldSealer,
  createSandboxProvider,
  type RampParts,
  runProviderWork,
  sandboxProviderParts,
} from '../../src/ramp/index.ts'
import type { SandboxProviderParts } from '../../src/ramp/sandbox/parts.ts'
import { createTokenSender, deleteTreasurySends, fundFromFaucet } from '../../src/sandbox/index.ts'
import { createFollower } from '../../src/watch/index.ts'
import { startTestSandbox, type TestSandbox } from '../chains/test-sandbox.ts'
import { until } from '../index.ts'
import { newRampClient, RAMP_KEY, type RampClient } from './ramp-client.ts'

/** The ramp on real embedded chains and a real database; time passes only when a test advances it. */
export interface RampFixture {
  readonly sandbox: TestSandbox
  readonly parts: RampParts & Parts
  readonly provider: SandboxProviderParts
  readonly clock: ManualClock
  /** Follows the chains from the database again, as after a restart. */
  restart(): void
  /** Runs one round of all background work. */
  followOnce(): Promise<void>
  /** Runs rounds, 1.5 seconds apart, until nothing is left to do. */
  settle(): Promise<void>
  organization(name?: string): Promise<RampClient>
  /** Sends tokens of the chain's faucet, as a stranger would; the amount in base units. */
  send(to: string, amount: bigint, token?: string): Promise<{ readonly txHash: string }>
  close(): Promise<void>
}

export async function startRampFixture(blockchain: Blockchain = 'base'): Promise<RampFixture> {
  const sandbox = await startTestSandbox([blockchain])
  const { db } = sandbox.parts
  const clock = new ManualClock(new Date('2026-03-01T12:00:00Z'))
  const common = { db, clock, log: silentLog, random: systemRandomSource }
  const tokenSender = createTokenSender({ ...common, sandbox: sandbox.embedded.sandbox })
  const provider = sandboxProviderParts({ ...common, tokenSender, encryptionKeys: RAMP_KEY, rootKey: RAMP_KEY })
  const parts: RampFixture['parts'] = {
    ...common,
    chains: sandbox.embedded.chains,
    provider: createSandboxProvider(provider),
    sealer: createSealer(RAMP_KEY, 'ramp accounts', systemRandomSource),
    fields: createFieldSealer({ encryptionKeys: RAMP_KEY, indexKey: RAMP_KEY, random: systemRandomSource }),
  }
  const follow = () =>
    [...parts.chains.values()].map((chain) =>
      createFollower(parts, chain, {
        isDevelopment: true,
        print: () => {},
        ramp: parts,
        onReset: (blockchain) => deleteTreasurySends(parts, blockchain),
      }),
    )
  let followers = follow()
  const { signal } = new AbortController()

  const fixture: RampFixture = {
    sandbox,
    parts,
    provider,
    clock,
    restart() {
      followers = follow()
    },
    async followOnce() {
      for (const follower of followers) await follower.round(signal)
      await runProviderWork(parts)
      for (const follower of followers) await follower.round(signal)
    },
    async settle() {
      await until(async () => {
        await fixture.followOnce()
        const begun = db.selectFrom('ramp_sandbox_transfers').select('reference').where('due_at', 'is not', null)
        const onTheirWay = db
          .selectFrom('ramp_sandbox_deposits')
          .leftJoin('ramp_deposits', 'ramp_deposits.tx_hash', 'ramp_sandbox_deposits.tx_hash')
          .select('simulation_id as reference')
          .where('ramp_deposits.id', 'is', null)
        const left = await begun.unionAll(onTheirWay).execute()
        clock.advance(1_500)
        return left.length === 0
      })
    },
    organization: (name) => newRampClient(parts, blockchain, { name }),
    send: (walletAddress, amount, token = 'USDC') =>
      fundFromFaucet(sandbox.parts, { organizationId: 1, walletAddress, blockchain, token, amount, withGas: false }),
    close: () => sandbox.close(),
  }
  await fixture.followOnce()
  return fixture
}
