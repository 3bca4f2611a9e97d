import { encodeFunctionData, keccak256, maxUint256, parseAbi, serializeTransaction } from 'viem'
import { expect, test } from 'vitest'
import { decodeCall, decodeEvm } from './decode.ts'

const WALLET = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const POOL = '0x794a61358D6845594F94dc1DB02A252b5b4814aD'
const call = (signature: string, args: readonly unknown[]) =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as string[]), args } as never)

test.each([
  ['approve(address spender, uint256 amount)', [POOL, 5n], ['address', 'amount']],
  [
    'supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
    [POOL, 5n, WALLET, 0],
    ['address', 'amount', 'address', 'other'],
  ],
  ['supply(address asset, uint256 amount)', [POOL, 5n], ['address', 'amount']],
  [
    'withdraw(address asset, uint256 amount, address to)',
    [POOL, maxUint256, WALLET],
    ['address', 'everything', 'address'],
  ],
  ['withdraw(address asset, uint256 amount)', [POOL, maxUint256], ['address', 'everything']],
  ['deposit(uint256 assets, address receiver)', [5n, WALLET], ['amount', 'address']],
  ['withdraw(uint256 assets, address receiver, address owner)', [5n, WALLET, WALLET], ['amount', 'address', 'address']],
  ['redeem(uint256 shares, address receiver, address owner)', [5n, WALLET, WALLET], ['other', 'address', 'address']],
  [
    'requestRedeem(uint256 shares, address controller, address owner)',
    [5n, WALLET, WALLET],
    ['other', 'address', 'address'],
  ],
  ['cooldownAssets(uint256 assets)', [5n], ['amount']],
  ['cooldownShares(uint256 shares)', [5n], ['other']],
  ['unstake(address receiver)', [WALLET], ['address']],
])('%s is decoded with its arguments', (signature, args, kinds) => {
  const decoded = decodeCall(call(signature, args))
  expect(decoded.signature).toBe(signature)
  expect(decoded.args.map(({ kind }) => kind)).toEqual(kinds)
  expect(decoded.args.map(({ value }) => value)).toEqual(args.map(String))
  const names = [...signature.matchAll(/(\w+)[,)]/g)].map(([, name]) => name)
  expect(decoded.args.map(({ name }) => name)).toEqual(names)
})

test('a function that nobody here knows, and data with anything else in them, are unknown', () => {
  const approve = call('approve(address spender, uint256 amount)', [POOL, 5n])
  const dirty = approve.replace('095ea7b3000000000000000000000000', '095ea7b3000000000000000000000001')
  for (const data of ['0x', '0x12345678', `${approve}00`, approve.slice(0, -2), dirty])
    expect(decodeCall(data), data).toEqual({ signature: undefined, args: [] })
  expect(decodeCall(approve.toUpperCase().replace('0X', '0x')).signature).toBe(
    'approve(address spender, uint256 amount)',
  )
})

test('the bytes of a client say their chain, nonce, coins and what a signer signs', () => {
  const data = call('deposit(uint256 assets, address receiver)', [7n, WALLET])
  const bytes = serializeTransaction({ type: 'eip1559', chainId: 31_338, nonce: 4, to: POOL, value: 9n, data, gas: 1n })
  expect(decodeEvm(bytes)).toMatchObject({
    chainId: 31_338,
    nonce: 4,
    to: POOL.toLowerCase(),
    value: 9n,
    signature: 'deposit(uint256 assets, address receiver)',
    signingHash: keccak256(bytes),
  })
  expect(() => decodeEvm('0x02')).toThrow()
  expect(() => decodeEvm('nothing')).toThrow()
})
