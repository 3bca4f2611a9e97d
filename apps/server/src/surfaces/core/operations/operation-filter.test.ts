import { beforeEach, describe, expect, test } from 'vitest'
import { anyState } from '../../../../testing/operations/any-state.ts'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { staffedOrganization } from '../../../../testing/surfaces/core-server.ts'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { USDC } from '../../../../testing/units.ts'
import { cancelOperation } from '../../../operations/index.ts'
import { operationalWalletRoutes } from '../treasury/operational-wallets.ts'
import { coreOperationRoutes } from './operations.ts'

const treasury = useTreasury((app, parts) => {
  operationalWalletRoutes(app, parts)
  coreOperationRoutes(app, parts)
})
let client: TestClient
let opWalletId: number
beforeEach(async () => {
  ;({ client, opWalletId } = await treasury.operationalWallet())
})

const HISTORY = '/api/core/operations/history'
const QUEUE = '/api/core/operations/queue'

async function history(query: string) {
  const { items, total, hasMore } = await treasury.read(`${HISTORY}?${query}`)
  return { ids: (items as { id: number }[]).map(({ id }) => id), total, hasMore }
}
async function queue(query: string) {
  const { headers, body } = await treasury.request(`${QUEUE}?${query}`)
  return {
    ids: (body.data.intents as { id: number }[]).map(({ id }) => id),
    total: Number(headers['x-total-count']),
  }
}

describe('filters of operations', () => {
  test('match type, wallet, strategy, token, time and hash, and count what they match', async () => {
    const supplied = await client.complete(await client.supply(100n * USDC))
    treasury.engine.clock.advance(60_000)
    const between = treasury.engine.clock.now().toISOString()
    const returned = await client.complete(await client.unwind(40n * USDC))
    const other = await treasury.engine.client({ organizationId: treasury.staff.organizationId, usdc: 100n * USDC })
    await treasury.engine.settle()
    const elsewhere = await other.supply(10n * USDC)
    await cancelOperation(treasury.core.parts, other.scope, elsewhere.operationId)

    const both = [returned.operationId, supplied.operationId]
    const { txHash } = anyState(supplied.transactions.at(-1)!)
    const hash = txHash as string
    const { walletId } = client.wallet
    const cases: [query: string, ids: number[]][] = [
      ['type=supply', [elsewhere.operationId, supplied.operationId]],
      ['type=UNWIND', [returned.operationId]],
      ['type=supply&status=completed', [supplied.operationId]],
      [`orgWalletId=${walletId}`, both],
      [`opWalletId=${opWalletId}`, both],
      [`managedWalletId=${opWalletId}&orgWalletId=${walletId}`, both],
      [`opWalletId=${opWalletId}&orgWalletId=${other.wallet.walletId}`, []],
      [`orgWalletId=${other.wallet.walletId}`, [elsewhere.operationId]],
      [`orgWalletId=${walletId}&strategyId=${supplied.strategyId}`, both],
      [`strategyId=${2 ** 40}`, []],
      ['token=usdc', [elsewhere.operationId, ...both]],
      ['token=USDT', []],
      [`until=${between}`, [supplied.operationId]],
      [`from=${between}`, [elsewhere.operationId, returned.operationId]],
      [`txHash=${hash}`, [supplied.operationId]],
      [`txHash=${hash.toUpperCase().replace('X', 'x')}`, [supplied.operationId]],
      [`txHash=${hash.slice(0, 20)}`, []],
    ]
    for (const [query, ids] of cases) expect(await history(query), query).toMatchObject({ ids, total: ids.length })
    expect(await history('token=usdc&limit=1')).toMatchObject({ total: 3, hasMore: true })
    // The names of the wallet are in each entry.
    const { items } = await treasury.read(`${HISTORY}?limit=1`)
    expect(items).toMatchObject([
      {
        walletId: other.wallet.walletId,
        walletAddress: other.address,
        blockchain: 'polygon',
        walletLabel: expect.any(String),
      },
    ])
  })

  test('apply to the queue as well, with a status of its own', async () => {
    const waiting = await client.supply(100n * USDC)
    const { walletId } = client.wallet
    const matching = ['status=executing', 'type=supply', `opWalletId=${opWalletId}`, `orgWalletId=${walletId}`]
    for (const query of [...matching, 'status=EXECUTING&token=usdc'])
      expect(await queue(query), query).toEqual({ ids: [waiting.operationId], total: 1 })
    for (const query of ['status=pending_approval', 'status=completed', 'type=unwind', 'token=USDT'])
      expect(await queue(query), query).toEqual({ ids: [], total: 0 })
  })

  test('refuse what does not exist, and what belongs to another organization', async () => {
    const { tokens } = await staffedOrganization(treasury.core.parts)
    for (const path of [HISTORY, QUEUE]) {
      for (const query of [
        'type=MOVE',
        'status=BOGUS',
        'from=yesterday',
        'orgWalletId=0',
        'txHash=',
        'opWalletId=1&managedWalletId=2',
      ])
        expect(await treasury.request(`${path}?${query}`), query).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
      expect(await treasury.request(`${path}?token=DAI`)).toMatchObject(refusal(404, 'TOKEN_NOT_FOUND'))
      for (const query of [`opWalletId=${opWalletId}`, `orgWalletId=${client.wallet.walletId}`])
        expect(await treasury.request(`${path}?${query}`, tokens.owner)).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
    }
  })

  test('let the history be read to its end by id', async () => {
    const made: number[] = []
    for (let n = 0; n < 3; n += 1) {
      const { operationId } = await client.supply(10n * USDC)
      await cancelOperation(treasury.core.parts, client.scope, operationId)
      made.unshift(operationId)
    }
    const first = await history('limit=2')
    expect(first).toEqual({ ids: made.slice(0, 2), total: 3, hasMore: true })
    expect(await history(`limit=2&before=${made[1]}`)).toEqual({ ids: [made[2]], total: 3, hasMore: false })
    expect(await history(`limit=1&before=${made[0]}`)).toEqual({ ids: [made[1]], total: 3, hasMore: true })
    expect(await history(`limit=1&before=${made[1]}`)).toEqual({ ids: [made[2]], total: 3, hasMore: false })
  })
})
