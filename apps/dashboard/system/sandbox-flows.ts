import { expect, test } from 'vitest'
import { clientWallet, until } from '../testing/client-wallet.ts'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import type { FlowOrganization } from '../testing/flow-organization.ts'
import { visit } from '../testing/pages.ts'

/** The controls of the test world. They run last: the clock of the chains moves for everybody. */
export function sandboxFlows(_fixture: () => DashboardFixture, flow: () => FlowOrganization): void {
  test('the faucet gives tokens, the clock moves the chains, and a fault strikes', async () => {
    const { page, keyed } = flow()
    const { walletId, address } = await clientWallet(keyed, '1000000')
    await visit(page, '/app/sandbox')
    const card = (name: string) => page.getByRole('region', { name })
    await card('Faucet').getByLabel('Address').fill(address)
    await card('Faucet').getByLabel('Amount').fill('1234.5')
    await card('Faucet').getByRole('button', { name: 'Send' }).click()
    await page.getByText(/^Sent with 0x/).waitFor()
    await until(keyed, `/v1/wallets/${walletId}`, ({ balances }) =>
      balances.some(({ token, available }: Balance) => token === 'USDC' && available === '1235500000'),
    )

    const before = await blockTime(flow)
    await card('Clock').getByLabel('Days').fill('1')
    await card('Clock').getByRole('button', { name: 'Advance', exact: true }).click()
    await page.getByText(/^On the chains it is now \d+ \w+ \d{4}, \S+ \S+\.$/).waitFor()
    expect(await blockTime(flow)).toBeGreaterThanOrEqual(before + 86_400)

    // On a chain that nothing else uses.
    const base = { walletAddress: address, blockchain: 'base' }
    const { walletId: onBase } = await keyed('POST', '/v1/wallets/register', base)
    await keyed('POST', '/v1/sandbox/faucet', { ...base, token: 'USDC', amount: '5000000000' })
    const { venues } = await keyed('GET', '/v1/venues?blockchain=base&token=USDC')
    const [{ strategyId, tokenAddress }] = venues[0].strategies
    const supply = () =>
      keyed('POST', '/v1/operations/supply', { walletId: onBase, strategyId, tokenAddress, amount: '2000000000' })
    const faults = card('Faults')
    await faults.getByRole('combobox', { name: 'Chain' }).click()
    await page.getByRole('option', { name: 'Base' }).click()
    await faults.getByRole('combobox', { name: 'What fails' }).click()
    await page.getByRole('option', { name: 'Simulations fail' }).click()
    await faults.getByRole('button', { name: 'Break it' }).click()
    await page.getByText('Fault set.').waitFor()
    await expect(supply()).rejects.toThrow('SIMULATION_FAILED')
    expect((await supply()).status).toBe('AWAITING_SIGNATURE')
  })
}

interface Balance {
  readonly token: string
  readonly available: string
}

/** The newest block's time on Polygon, in seconds. */
async function blockTime(flow: () => FlowOrganization): Promise<number> {
  const networks = await flow().keyed('GET', '/v1/sandbox/networks')
  const { rpcUrl } = networks.find(({ blockchain }: { blockchain: string }) => blockchain === 'polygon')
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['latest', false] }
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(body) })
  return Number(((await response.json()) as { result: { timestamp: string } }).result.timestamp)
}
