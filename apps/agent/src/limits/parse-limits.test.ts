import { liveAllowList, parseAllowList, RulesError } from '@weir/verify'
import { expect, test } from 'vitest'
import { limitsText, parseLimits } from './index.ts'

const parsed = (amounts: readonly unknown[], fees: readonly unknown[] = []) =>
  parseLimits({ version: 1, amounts, fees }, liveAllowList)
const problem = (act: () => unknown) => {
  try {
    act()
  } catch (error) {
    expect(error).toBeInstanceOf(RulesError)
    return (error as Error).message
  }
  throw new Error('the limits were accepted')
}

test('a limit is named after its filters, or by its own name', () => {
  const limits = parsed(
    [
      { token: 'USDC', perHour: '50000', perDay: '200000.5' },
      { token: 'USDC', each: 'venue', perDay: '1' },
      { token: 'USDC', blockchain: 'base', venue: 'Fluid USDC', does: 'supply', perDay: '1' },
      { name: 'small', token: 'USDT', perDay: '0' },
    ],
    [{ blockchain: 'polygon', perDay: '20000000000000000000' }],
  )
  expect(limitsText(limits)).toEqual([
    'USDC: 50000 USDC per hour,200000.5 USDC per day',
    'USDC, each venue: 1 USDC per day',
    'supply of USDC on base at Fluid USDC: 1 USDC per day',
    'small: 0 USDT per day',
    'fees on polygon: 20000000000000000000 per day',
  ])
})

test('a wallet is compared in the form that the verifier reports', () => {
  const { amounts } = parsed([
    { token: 'USDC', wallet: '0x52908400098527886e0f7030069857d2e4169ee7', perDay: '1' },
    { token: 'USDC', wallet: 'GHtXQBsoZHVnNFa9YevAzFr17DJjgHXk3ycTKD5xD3Zi', perDay: '1' },
  ])
  expect(amounts.map(({ wallet }) => wallet)).toEqual([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    'GHtXQBsoZHVnNFa9YevAzFr17DJjgHXk3ycTKD5xD3Zi',
  ])
})

test('a token with other decimals on another chain counts in the finer ones', () => {
  const chains = liveAllowList.chains.slice(0, 2).map((chain, index) => ({
    ...chain,
    chainId: index + 1,
    fees: { maxGas: '1', maxFeePerGas: '1', maxPriorityFeePerGas: '1', maxCost: '1' },
    tokens: [{ symbol: 'USDC', address: chain.tokens[0]!.address, decimals: index === 0 ? 6 : 18 }],
    venues: [],
  }))
  const list = parseAllowList(JSON.parse(JSON.stringify({ version: 1, chains })))
  const [limit] = parseLimits({ version: 1, amounts: [{ token: 'USDC', perDay: '1' }] }, list).amounts
  expect([...limit!.scale.values()]).toEqual([10n ** 12n, 1n])
  expect(limit!.caps).toEqual({ day: 10n ** 18n })
})

test.each([
  ['an unknown field', [{ token: 'USDC', perDya: '1' }], 'amounts[0].perDya is not known'],
  ['no cap', [{ token: 'USDC' }], 'amounts[0] must have perHour or perDay'],
  ['a number', [{ token: 'USDC', perDay: 5 }], 'amounts[0].perDay must be a text'],
  ['too many decimals', [{ token: 'USDC', perDay: '0.0000001' }], 'amounts[0].perDay must be a decimal number'],
  ['a negative amount', [{ token: 'USDC', perDay: '-1' }], 'amounts[0].perDay must be a decimal number'],
  ['an unlisted token', [{ token: 'DAI', perDay: '1' }], 'amounts[0].token is not listed'],
  ['an unlisted token of a chain', [{ token: 'USDT', blockchain: 'base', perDay: '1' }], 'is not listed on base'],
  ['an unlisted venue', [{ token: 'USDC', venue: 'Aave', perDay: '1' }], 'amounts[0].venue is not listed for USDC'],
  [
    'text that is not a wallet',
    [{ token: 'USDC', wallet: '0x5', perDay: '1' }],
    'amounts[0].wallet must be an address',
  ],
  ['an unknown direction', [{ token: 'USDC', does: 'borrow', perDay: '1' }], 'must be supply or withdraw'],
  [
    'two limits of one name',
    [
      { token: 'USDC', perDay: '1' },
      { token: 'USDC', perHour: '1' },
    ],
    'amounts has USDC twice',
  ],
])('%s is refused, because the limit would not protect', (_name, amounts, said) => {
  expect(problem(() => parsed(amounts))).toContain(said)
})

test('fees are whole numbers of wei or lamports on a listed chain', () => {
  expect(problem(() => parsed([], [{ blockchain: 'moon', perDay: '1' }]))).toBe('fees[0].blockchain is not listed')
  expect(problem(() => parsed([], [{ blockchain: 'base', perDay: '0.1' }]))).toContain(
    'must be a whole number in quotes',
  )
  expect(problem(() => parseLimits({ amounts: [] }, liveAllowList))).toBe('version must be 1')
})
