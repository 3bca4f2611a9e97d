import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sandboxAllowList } from '@weir/verify'
import pino from 'pino'
import { type Hex, parseTransaction, serializeTransaction, type TransactionSerializableEIP1559, toBytes } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AGENT_WITHHELD_MS, LEASE_MS } from '../../server/src/kernel/index.ts'
import {
  failWithheldOperations,
  type IssuedBytes,
  offerStuckTransactions,
  reportFailed,
  reportSubmitted,
} from '../../server/src/operations/index.ts'
import { createTestAgent } from '../../server/testing/agents/test-agent.ts'
import { useEngine } from '../../server/testing/operations/use-engine.ts'
import { createOperationalWallet, planExplicitMove } from '../../server/testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../server/testing/units.ts'
import { createNodes } from '../src/chains/index.ts'
import { systemClock } from '../src/clock.ts'
import { type Journal, openJournal } from '../src/journal/index.ts'
import { type Limits, NO_LIMITS } from '../src/limits/index.ts'
import type { Service } from '../src/service/client.ts'
import type { AgentTransaction } from '../src/service/work.ts'
import type { Signer } from '../src/signers/index.ts'
import { createNonceGaps, createOutages, createReports, createWorkLocks, handleTransaction } from '../src/work/index.ts'

/**
 * A transaction that no block includes, between the service's verbs, the agent's work and a real chain whose blocks the
 * test mines.
 */
const use = useEngine()
let folder: string
let journal: Journal
let operationId: number
let waitedMs = 0
const gaps = createNonceGaps({ monotonic: () => waitedMs })
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'weir-agent-replacement-'))
  journal = openJournal(folder, systemClock)
  const wallet = await createOperationalWallet(use.engine, use.client)
  ;({ operationId } = await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC }))
})
afterEach(() => {
  journal.close()
  rmSync(folder, { recursive: true })
})

/** Polls, and has the agent handle what the service issues. */
async function work({
  limits = NO_LIMITS,
  change = (one: AgentTransaction) => one,
  dropped = undefined as string | undefined,
} = {}): Promise<IssuedBytes> {
  const { engine, client } = use
  const { organizationId, walletId } = client.wallet
  const issued = await createTestAgent(engine, client).pollRequired()
  const { transaction, lease } = issued
  if (dropped !== undefined) await use.dev.rpc('anvil_dropTransaction', dropped)
  const handed: AgentTransaction = {
    id: transaction.transactionId,
    operationId,
    unsignedTx: transaction.unsignedBytes,
    metadata: {
      blockchain: 'polygon',
      walletId,
      walletAddress: client.address,
      amount: '600.00',
      token: 'USDC',
      type: 'SUPPLY',
      step: transaction.kind === 'approve' ? 'APPROVE_TOKEN' : 'SUPPLY_TO_PROVIDER',
      protocol: 'aave-v3',
    },
    claimedAt: lease.claimedAt.toISOString(),
    leaseExpiresAt: lease.leasedUntil.toISOString(),
    leaseToken: lease.leaseToken,
  }
  const service: Pick<Service, 'reportTransaction' | 'renew'> = {
    async reportTransaction(transactionId, report, leaseToken) {
      const input = { organizationId, transactionId, leaseToken }
      if (report.status === 'SUBMITTED') await reportSubmitted(engine.parts, { ...input, txHash: report.txHash })
      else await reportFailed(engine.parts, { ...input, error: report.error })
    },
    renew: async () => {},
  }
  const signer: Pick<Signer, 'kind' | 'holds' | 'sign'> = {
    kind: 'test',
    holds: async (address) => address === client.address,
    sign: async ({ payload }) => {
      const signature = await client.account.sign({ hash: `0x${Buffer.from(payload).toString('hex')}` })
      return toBytes(signature).slice(0, 64)
    },
  }
  const log = pino({ level: 'silent' })
  const emit = () => {}
  const parts = {
    service: service as Service,
    signer: signer as Signer,
    journal,
    reports: createReports({ service: service as Service, journal, log, emit, clock: systemClock }),
    locks: createWorkLocks(),
    gaps,
    nodes: createNodes(sandboxAllowList, new Map([['polygon', [use.dev.url]]]), 'sandbox'),
    allowList: sandboxAllowList,
    limits,
    approvers: undefined,
    environment: 'sandbox' as const,
    clock: systemClock,
    log,
    chainOutages: createOutages({ log, clock: systemClock, away: 'away', back: 'back' }),
    holds: createOutages({ log, clock: systemClock, away: 'away', back: 'back' }),
    losses: createOutages({ log, clock: systemClock, away: 'away', back: 'back' }),
    unknownWallet: 'fail' as const,
    emit,
  }
  await handleTransaction(parts, change(handed), new AbortController().signal)
  return issued
}

async function stuck(): Promise<void> {
  use.engine.clock.advance(300_000)
  expect(await offerStuckTransactions(use.engine.parts)).toBe(1)
}
const feeOf = ({ transaction }: IssuedBytes) => {
  const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(transaction.unsignedBytes as Hex)
  return gas * maxFeePerGas
}
const budget = (hour: bigint): Limits => ({
  amounts: [],
  fees: [{ name: 'gas', blockchain: 'polygon', caps: { hour } }],
})
const signedFor = ({ transaction }: IssuedBytes) => journal.signedFor(transaction.transactionId)
async function land(): Promise<void> {
  await use.dev.mineAtOnce(true)
  await use.engine.settle()
}

test('the agent signs a replacement, counts its fee once, and the operation completes once', async () => {
  await use.dev.mineAtOnce(false)
  const first = await work()
  await stuck()
  const second = await work()
  expect(signedFor(second).map(({ nonce }) => nonce)).toEqual([first.transaction.nonce, first.transaction.nonce])
  expect(journal.counted()).toMatchObject([{ does: 'approve', fee: feeOf(second) }])
  expect(feeOf(second)).toBeGreaterThan(feeOf(first))
  await land()
  await work()
  await land()
  expect(await use.client.operation({ operationId })).toMatchObject({ state: 'COMPLETED' })
  expect(await use.balances()).toEqual({ available: 400n, reserved: 0n, deployed: 600n })
})

test('a replacement above the fee budget is refused, and the first version goes on', async () => {
  await use.dev.mineAtOnce(false)
  const first = await work()
  await stuck()
  const second = await work({ limits: budget(feeOf(first)) })
  expect(signedFor(second)).toHaveLength(1)
  const operation = await use.client.operation({ operationId })
  expect(operation.transactions[0]).toMatchObject({ state: 'submitted' })
  expect(operation.state).toBe('EXECUTING')
  await land()
  expect((await use.client.operation({ operationId })).transactions[0]).toMatchObject({ state: 'confirmed' })
})

test('bytes with the same nonce and another effect are not signed while the first version can land', async () => {
  await use.dev.mineAtOnce(false)
  await work()
  await stuck()
  const second = await work({
    change: ({ unsignedTx, metadata, ...rest }) => {
      const { data, ...fields } = parseTransaction(unsignedTx as Hex) as TransactionSerializableEIP1559
      const more = (700n * USDC).toString(16).padStart(64, '0')
      const changed = serializeTransaction({ ...fields, data: `${data!.slice(0, -64)}${more}` as Hex })
      return { ...rest, unsignedTx: changed, metadata: { ...metadata, amount: '700.00' } }
    },
  })
  expect(signedFor(second)).toHaveLength(1)
  await land()
})

test('an operation behind a nonce that nothing uses any longer ends, and the next one takes that nonce', async () => {
  const { engine, client, dev } = use
  await dev.mineAtOnce(false)
  const lost = await client.useNonce()
  const behind = await work({ dropped: lost })
  expect(signedFor(behind)).toEqual([])
  waitedMs += 30 * 60_000
  engine.clock.advance(LEASE_MS.default)
  await work()
  expect(await client.operation({ operationId })).toMatchObject({ state: 'EXECUTING' })
  engine.clock.advance(AGENT_WITHHELD_MS)
  await failWithheldOperations(engine.parts)
  expect(await client.operation({ operationId })).toMatchObject({ state: 'FAILED' })
  await dev.mineAtOnce(true)
  const next = await client.supply(100n * USDC)
  expect(next.transactions[0]!.nonce).toBe(behind.transaction.nonce! - 1)
})
