/**
 * The ramp in one process that may be killed at any labelled point. Simulates one payment and completes it. Keeps no
 * state of its own: after a restart it continues from the database.
 */
import type { Hex } from 'viem'
import { createEvmChain, type Network } from '../../src/chains/index.ts'
import { openDatabase, type RampDirection } from '../../src/database/index.ts'
import { addMilliseconds, createSealer, ManualClock, silentLog, systemRandomSource } from '../../src/kernel/index.ts'
import type { Parts } from '../../src/operations/index.ts'
import {
  createFieldSealer,
  createSandboxProvider,
  type RampParts,
  runProviderWork,
  sandboxProviderParts,
  simulateTransaction,
} from '../../src/ramp/index.ts'
import { createTokenSender, resendStored, type SandboxChain } from '../../src/sandbox/index.ts'
import { evmTreasury } from '../../src/sandbox/treasury/evm-treasury.ts'
import { createFollower } from '../../src/watch/index.ts'
import { installCrashPoints, say } from '../processes/crash-points.ts'

export interface RampCrashingInput {
  readonly databaseUrl: string
  readonly rpcUrl: string
  readonly network: Network
  readonly genesisHash: string
  readonly treasury: { readonly key: string; readonly address: string }
  readonly encryptionKey: string
  readonly organizationId: number
  readonly direction: RampDirection
  readonly scenario: 'success' | 'failed' | 'rejected' | 'reversed'
  readonly usdCents: string
  /** The number of this start: each advances the clock by a minute. */
  readonly start: number
  readonly dieAt?: number
}

const input = JSON.parse(process.argv[2] ?? '{}') as RampCrashingInput
const points = installCrashPoints(input.dieAt)
const { network, organizationId } = input
const clock = new ManualClock(addMilliseconds(new Date('2026-03-02T00:00:00Z'), input.start * 60_000))
const database = openDatabase({ url: input.databaseUrl, log: silentLog, max: 3 })
const { db } = database
const chain = createEvmChain({ network, rpcUrls: [input.rpcUrl], log: silentLog, clock })
const treasury = evmTreasury(chain, { address: input.treasury.address, privateKey: input.treasury.key as Hex })
const embedded = { network, genesisHash: input.genesisHash, treasury, faultFree: chain } as unknown as SandboxChain
const common = { db, clock, log: silentLog, random: systemRandomSource }
const tokenSender = createTokenSender({ ...common, sandbox: new Map([[network.blockchain, embedded]]) })
const parts: RampParts & Parts = {
  ...common,
  chains: new Map([[network.blockchain, chain]]),
  provider: createSandboxProvider(
    sandboxProviderParts({
      ...common,
      tokenSender,
      encryptionKeys: input.encryptionKey,
      rootKey: input.encryptionKey,
    }),
  ),
  sealer: createSealer(input.encryptionKey, 'ramp accounts', systemRandomSource),
  fields: createFieldSealer({
    encryptionKeys: input.encryptionKey,
    indexKey: input.encryptionKey,
    random: systemRandomSource,
  }),
}
const follower = createFollower(parts, chain, { isDevelopment: true, print: () => {}, ramp: parts })

if (!(await wasSimulated())) {
  await simulateTransaction(parts, {
    organizationId,
    direction: input.direction,
    recipientId: null,
    accountId: undefined,
    usdCents: BigInt(input.usdCents),
    scenario: input.scenario,
    delayMs: 1_000,
  })
}
while (!(await isOver())) {
  clock.advance(1_000)
  await follower.round(new AbortController().signal)
  await resendStored(common, embedded)
  await runProviderWork(parts)
}
await say(`done ${JSON.stringify(points.labels)}`)
await database.close()
process.exit(0)

async function wasSimulated(): Promise<boolean> {
  const begun = await db
    .selectFrom('ramp_sandbox_transfers')
    .select('reference')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  const deposited = await db
    .selectFrom('treasury_sends')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('purpose', '=', 'deposit')
    .executeTakeFirst()
  return begun !== undefined || deposited !== undefined
}

async function isOver(): Promise<boolean> {
  const transfers = await db
    .selectFrom('ramp_sandbox_transfers')
    .select('due_at')
    .where('organization_id', '=', organizationId)
    .execute()
  return transfers.length > 0 && transfers.every(({ due_at }) => due_at === null)
}
