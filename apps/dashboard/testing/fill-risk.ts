import { clientWallet, type Request, strategiesOf, until } from './client-wallet.ts'

interface Senders {
  /** Sends with a key of the organization. */
  readonly keyed: Request
  /** Sends as its owner. */
  readonly asOwner: Request
}

const BREAKERS = '/api/core/circuit-breakers'

/**
 * Fills the organization with deposits that pay later, and opens a circuit breaker. The returned function requests a part
 * of each deposit back; time must not be advanced after it, because that ends the cooldown.
 */
export async function fillRisk({ keyed, asOwner }: Senders): Promise<() => Promise<void>> {
  const named = async (name: string) => (await strategiesOf(keyed)).find((each) => each.name === name)!.strategyId
  const [cooldown, queued] = await Promise.all([named('Cooldown USDC'), named('Queued USDC')])
  const change = (state: object) => keyed('POST', `/v1/sandbox/strategies/${queued}/state`, state)
  const [reserve, partner] = await Promise.all([
    clientWallet(keyed, '60000000000'),
    clientWallet(keyed, '10000000000'),
    asOwner('PUT', BREAKERS, {
      maxPriceFall: '1',
      maxPegDistance: null,
      minWithdrawableShare: '20',
      onUpgrade: true,
      withdraw: false,
      recoverySeconds: 86_400,
    }),
  ])
  await Promise.all([reserve.supply(cooldown, '40000000000'), partner.supply(queued, '8000000000')])
  return async () => {
    // The interest of the days before would make a loss good again.
    await change({ lossBps: 300 })
    await Promise.all([reserve.unwind(cooldown, '15000000000'), partner.unwind(queued, '5000000000')])
    await asOwner('PUT', `/api/core/wallets/${reserve.walletId}`, { label: 'Reserve' })
    await asOwner('POST', '/api/core/wallets/add-and-monitor', {
      orgWalletId: reserve.walletId,
      token: 'USDC',
      bufferAmount: '20000.00',
    })
    await change({ pendingExits: 'settle' })
    await until(asOwner, '/api/core/exits?status=claimable', ({ exits }) => exits.length === 1)
    await until(asOwner, BREAKERS, ({ breakers }) => breakers.length === 1)
  }
}
