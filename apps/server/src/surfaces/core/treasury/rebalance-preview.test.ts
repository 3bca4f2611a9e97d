import { beforeEach, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { staffedOrganization } from '../../../../testing/surfaces/core-server.ts'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { readConfig } from '../../../config.ts'
import { operationalWalletRoutes } from './operational-wallets.ts'
import { rebalancePreviewRoute } from './rebalance-preview.ts'

const treasury = useTreasury((app, parts) => {
  operationalWalletRoutes(app, parts)
  rebalancePreviewRoute(app, { ...parts, rebalancing: readConfig({}).rebalancing })
})
let client: TestClient
let opWalletId: number
beforeEach(async () => {
  ;({ client, opWalletId } = await treasury.operationalWallet('100'))
})

const preview = (body: object, token = treasury.staff.tokens.viewer) =>
  treasury.send('POST', `/api/core/wallets/monitored/${opWalletId}/rebalance-preview`, body, { token })

describe('a preview', () => {
  test('shows what would move, from where, to where and why, and changes nothing', async () => {
    const { data } = (await preview({ bufferAmount: '250' })).body
    expect(data).toMatchObject({
      bufferAmount: '250.00',
      availableBalance: '1000.00',
      excess: '750.00',
      shortfall: '0.00',
      held: '0.00',
      heldUntil: null,
    })
    expect(data.moves).toEqual([
      {
        type: 'SUPPLY',
        from: { type: 'wallet', strategyId: null, name: client.address },
        to: { type: 'strategy', strategyId: expect.any(Number), name: 'Capped' },
        amount: '750.00',
        fullWithdrawal: false,
        reason: expect.stringContaining('earns the most'),
      },
    ])
    expect((await preview({ enableYield: false })).body.data.moves).toEqual([])
    expect(await treasury.operationCount()).toBe(0)
  })

  test('rejects invalid amounts, and callers of other organizations', async () => {
    expect(await preview({ bufferAmount: 'much' })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    expect(await preview({}, (await staffedOrganization(treasury.core.parts)).tokens.owner)).toMatchObject(
      refusal(404, 'WALLET_NOT_FOUND'),
    )
  })
})
