// Tests `evaluate-due-wallets.ts` where a chain is unavailable.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { countStatements } from '../../testing/database/count-statements.ts'
import { type RebalancedWallet, useRebalancer } from '../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../testing/units.ts'
import { type Chain, createEvmChain, LIVE_EVM_NETWORKS } from '../chains/index.ts'
import { silentLog } from '../kernel/index.ts'
import { evaluateDueWallets } from './evaluate-due-wallets.ts'

const rebalancer = useRebalancer()
const { operationsOf, rowOf, evaluateAll } = rebalancer

const monitored = async () => rebalancer.monitor(await rebalancer.fundedClient(1_000n * USDC), 100n * USDC)

test('nothing waits for a chain whose nodes are unavailable: its wallets are evaluated again soon', async () => {
  const use = await monitored()
  const { parts } = rebalancer
  const [[blockchain, chain]] = [...parts.chains] as [[string, Chain]]
  const calls: unknown[] = []
  const unavailable: Chain = {
    ...chain,
    isResting: () => true,
    balances: (asked) => {
      calls.push(asked)
      return new Promise<bigint[]>(() => undefined)
    },
  }
  await evaluateDueWallets({ ...parts, chains: new Map([[blockchain, unavailable]]) })
  expect(calls).toEqual([])
  expect(await rowOf(use)).toMatchObject({ due_at: expect.any(Date), last_evaluation: { outcome: 'unseen' } })
  expect(await operationsOf(use)).toEqual([])
})

test('a wallet whose deployment waits is evaluated again soon where its chain could not be read', async () => {
  const use = await monitored()
  await evaluateAll()
  const { parts } = rebalancer
  const [[blockchain, chain]] = [...parts.chains] as [[string, Chain]]
  await rebalancer.engine.db
    .updateTable('operational_wallets')
    .set({ due_at: parts.clock.now() })
    .where('id', '=', use.wallet.opWalletId)
    .execute()
  await evaluateDueWallets({ ...parts, chains: new Map([[blockchain, { ...chain, isResting: () => true }]]) })
  expect(await rowOf(use)).toMatchObject({ due_at: expect.any(Date), last_evaluation: { outcome: 'waiting' } })
  expect(await operationsOf(use)).toMatchObject([{ type: 'SUPPLY', state: 'EXECUTING' }])
})

/** Base on a node that accepts connections and never responds, and the requests that it got. */
async function silentChain(): Promise<{ readonly chain: Chain; readonly requests: readonly string[] }> {
  const server = createServer((socket) => void socket.on('error', () => undefined).resume())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const requests: string[] = []
  // The deadline of a read, sooner.
  const soon: typeof fetch = (url, init) =>
    fetch(url, { ...init, signal: AbortSignal.any([init!.signal!, AbortSignal.timeout(300)]) })
  const chain = createEvmChain({
    network: LIVE_EVM_NETWORKS.find(({ blockchain }) => blockchain === 'base')!,
    rpcUrls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
    log: silentLog,
    clock: rebalancer.parts.clock,
    fault: { fetch: soon as never },
    onRequest: (name) => requests.push(name),
  })
  return { chain, requests }
}

/** An operational wallet of the same client on Base, with the funds that the ledger knows, due now. */
async function alsoOnBase({ wallet: { opWalletId } }: RebalancedWallet): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with base as (
      insert into wallets (organization_id, wallet_profile_id, blockchain, address, created_at)
      select w.organization_id, w.wallet_profile_id, 'base', w.address, w.created_at
      from wallets w join operational_wallets ow on ow.organization_id = w.organization_id and ow.wallet_id = w.id
      where ow.id = ${opWalletId} returning id, organization_id)
    insert into operational_wallets
      (organization_id, wallet_id, token_address, enable_yield, buffer_amount, due_at, created_at, updated_at)
    select ow.organization_id, base.id, ow.token_address, true, ow.buffer_amount, ow.due_at, ow.created_at, ow.updated_at
    from operational_wallets ow join base on base.organization_id = ow.organization_id
    where ow.id = ${opWalletId} returning id
  `.execute(rebalancer.engine.db)
  return rows[0]!.id
}

test('a page with a chain that becomes unavailable asks it once, and plans the wallets of others in the same pass', async () => {
  const { parts } = rebalancer
  const { clock } = rebalancer.engine
  const alone = await monitored()
  clock.advance(1)
  const { statements } = await countStatements(() => evaluateDueWallets(parts))
  expect(await operationsOf(alone)).toMatchObject([{ type: 'SUPPLY', state: 'EXECUTING' }])

  const { chain, requests } = await silentChain()
  const both = { ...parts, chains: new Map([...parts.chains, ['base', chain]]) }
  const use = await monitored()
  const opWalletId = await alsoOnBase(use)
  const rowOnBase = () =>
    rebalancer.engine.db
      .selectFrom('operational_wallets')
      .selectAll()
      .where('id', '=', opWalletId)
      .executeTakeFirstOrThrow()
  const unseen = { due_at: expect.any(Date), last_evaluation: { outcome: 'unseen' } }
  clock.advance(1)
  const counted = await countStatements(() => evaluateDueWallets(both))
  expect(counted.result).toBe(2)
  expect(await operationsOf(use)).toMatchObject([{ type: 'SUPPLY', state: 'EXECUTING' }])
  expect(await rowOnBase()).toMatchObject(unseen)
  expect(counted.statements, counted.texts.join('\n')).toBeLessThanOrEqual(statements)
  expect(requests).toHaveLength(1)
  expect(chain.isResting()).toBe(false)

  // Its follower asks it all the time.
  await expect(chain.heads()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect([requests.length, chain.isResting()]).toEqual([2, true])
  await evaluateNext()
  expect(requests).toHaveLength(2)
  clock.advance(60_000)
  await evaluateNext()
  expect(requests).toHaveLength(3)

  async function evaluateNext(): Promise<void> {
    const before = clock.now()
    await rebalancer.engine.db
      .updateTable('operational_wallets')
      .set({ due_at: before })
      .where('id', '=', opWalletId)
      .execute()
    await evaluateDueWallets(both)
    const row = await rowOnBase()
    expect(row).toMatchObject(unseen)
    expect(row.due_at!.getTime()).toBeGreaterThan(before.getTime())
  }
})
