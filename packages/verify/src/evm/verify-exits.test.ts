// The well-formed calls, with every byte changed, are in verify-evm.test.ts.
import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { type Intent, sandboxAllowList, verify } from '../index.ts'
import { evmBytes } from '../test-bytes.ts'

const abi = parseAbi([
  'function requestRedeem(uint256 shares, address controller, address owner)',
  'function cooldownAssets(uint256 assets)',
  'function unstake(address receiver)',
  'function redeem(uint256 shares, address receiver, address owner)',
])
const polygon = sandboxAllowList.chains.find(({ blockchain }) => blockchain === 'polygon')!
const venue = (name: string) => {
  const found = polygon.venues.find((one) => one.name === name)!
  return ('contract' in found ? found.contract : '') as Address
}
const [queue, cooldown] = [venue('Queued USDC'), venue('Cooldown USDC')]
const me = '0x52908400098527886E0F7030069857D2E4169EE7'
const stranger = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const intent: Intent = {
  blockchain: 'polygon',
  type: 'UNWIND',
  signer: me,
  token: 'USDC',
  amount: '100',
  transactionId: 12,
}
const all: Intent = { ...intent, full: true }
const request = (controller: Address, owner: Address) =>
  encodeFunctionData({ abi, functionName: 'requestRedeem', args: [5n, controller, owner] })
const unstake = (to: Address) => encodeFunctionData({ abi, functionName: 'unstake', args: [to] })
const codeOf = async (to: Address, data: `0x${string}`, of: Intent) => {
  const verdict = await verify(evmBytes({ to, data }), of, sandboxAllowList)
  return verdict.ok ? 'ok' : verdict.code
}

test('a request for somebody else, and of the shares of somebody else, is refused', async () => {
  expect(await codeOf(queue, request(stranger, me), all)).toBe('WRONG_BENEFICIARY')
  expect(await codeOf(queue, request(me, stranger), all)).toBe('WRONG_BENEFICIARY')
  expect(await codeOf(queue, request(me, me), all)).toBe('ok')
})

test('a claim after a cooldown goes to the wallet only, and only where everything was approved', async () => {
  expect(await codeOf(cooldown, unstake(stranger), all)).toBe('WRONG_BENEFICIARY')
  expect(await codeOf(cooldown, unstake(me), intent)).toBe('WRONG_AMOUNT')
  expect(await codeOf(cooldown, unstake(me), { ...all, type: 'SUPPLY' })).toBe('WRONG_STEP')
})

test('a request of shares that are worth more than the approved amount is refused', async () => {
  const bytes = evmBytes({ to: queue, data: request(me, me) })
  const measured = (units: bigint) => verify(bytes, intent, sandboxAllowList, async () => units)
  expect(await measured(100_000_000n)).toMatchObject({ ok: true, moves: 100_000_000n })
  expect(await measured(500_000_000n)).toMatchObject({ ok: false, code: 'WRONG_AMOUNT' })
})

test('a request of a part is refused where nobody measures its shares', async () => {
  const shares = encodeFunctionData({ abi, functionName: 'requestRedeem', args: [10n ** 30n, me, me] })
  const bytes = evmBytes({ to: queue, data: shares })
  expect(await verify(bytes, intent, sandboxAllowList)).toMatchObject({
    code: 'WRONG_AMOUNT',
    reason: expect.stringContaining('without `measure`'),
  })
})

test('a cooldown of another amount, and a method of another kind of vault, is refused', async () => {
  const more = encodeFunctionData({ abi, functionName: 'cooldownAssets', args: [100_000_001n] })
  expect(await codeOf(cooldown, more, intent)).toBe('WRONG_AMOUNT')
  const redeem = encodeFunctionData({ abi, functionName: 'redeem', args: [5n, me, me] })
  expect(await codeOf(queue, redeem, all)).toBe('UNKNOWN_METHOD')
  expect(await codeOf(venue('Yield Vault USDC'), request(me, me), all)).toBe('UNKNOWN_METHOD')
})
