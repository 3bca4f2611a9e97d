// How exits come about: rebalancing/slow-venues.test.ts.
import { expect, test } from 'vitest'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { staffedOrganization } from '../../../../testing/surfaces/core-server.ts'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { exitRoutes } from './exits.ts'
import { operationalWalletRoutes } from './operational-wallets.ts'

const treasury = useTreasury((app, parts) => {
  operationalWalletRoutes(app, parts)
  exitRoutes(app, parts)
})

async function requestBack({ wallet }: TestClient, key: string): Promise<number> {
  const { engine, staff } = treasury
  const at = engine.clock.now()
  const { id } = await engine.db
    .insertInto('exits')
    .values({
      organization_id: staff.organizationId,
      wallet_id: wallet.walletId,
      strategy_id: engine.strategy(key).id,
      state: 'pending',
      pending: 1_500_000n,
      claimable: 0n,
      requested: 1_500_000n,
      claimed: 0n,
      on_request: false,
      read_block: 1,
      read_at: at,
      opened_at: at,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const exits = async (query: string) => {
  const { exits: found, pagination } = await treasury.read(`/api/core/exits?${query}`)
  return { ids: (found as { id: number }[]).map(({ id }) => id), total: pagination.total }
}

test('exits are those of a wallet, an operational wallet or a strategy, with the names of wallet and token', async () => {
  const { client, opWalletId } = await treasury.operationalWallet()
  const other = await treasury.engine.client({ organizationId: treasury.staff.organizationId, usdc: 0n })
  const aave = await requestBack(client, 'aave-v3:polygon:USDC')
  const vault = await requestBack(client, 'erc4626:polygon:USDC')
  const foreign = await requestBack(other, 'aave-v3:polygon:USDC')
  const strategyId = treasury.engine.strategy('aave-v3:polygon:USDC').id
  const cases: [query: string, ids: number[]][] = [
    ['', [foreign, vault, aave]],
    [`walletId=${client.wallet.walletId}`, [vault, aave]],
    [`opWalletId=${opWalletId}`, [vault, aave]],
    [`strategyId=${strategyId}`, [foreign, aave]],
    [`opWalletId=${opWalletId}&strategyId=${strategyId}`, [aave]],
    [`opWalletId=${opWalletId}&status=claimed`, []],
  ]
  for (const [query, ids] of cases) expect(await exits(query), query).toEqual({ ids, total: ids.length })
  expect(await treasury.read(`/api/core/exits/${aave}`)).toMatchObject({
    opWalletId,
    walletLabel: `${client.address.slice(0, 6)}…${client.address.slice(-4)}`,
    token: 'USDC',
    tokenDecimals: 6,
    pending: '1.50',
  })
  const { tokens } = await staffedOrganization(treasury.core.parts)
  for (const [query, token] of [
    [`opWalletId=${2 ** 40}`, treasury.staff.tokens.viewer],
    [`opWalletId=${opWalletId}`, tokens.owner],
  ] as const)
    expect(await treasury.request(`/api/core/exits?${query}`, token)).toMatchObject(refusal(404, 'WALLET_NOT_FOUND'))
})
