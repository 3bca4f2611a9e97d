import { type Address, encodeFunctionData, erc4626Abi, maxUint256, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { type AllowList, allowListJson, type Intent, parseAllowList, sandboxAllowList, verify } from './index.ts'
import { TOKEN_PROGRAM, tokenAccountOf } from './solana/addresses.ts'
import { evmBytes, solanaBytes, u64 } from './test-bytes.ts'

const capped = (maxAmount: string): AllowList => {
  const json = allowListJson(sandboxAllowList) as { chains: { tokens: { maxAmount?: string }[] }[] }
  for (const { tokens } of json.chains) for (const token of tokens) token.maxAmount = maxAmount
  return parseAllowList(json)
}
const polygon = sandboxAllowList.chains.find(({ blockchain }) => blockchain === 'polygon')!
const usdc = polygon.tokens[0]!.address as Address
const venue = (name: string) => (polygon.venues.find((one) => one.name === name) as { contract: Address }).contract
const me = '0x52908400098527886E0F7030069857D2E4169EE7'
const everything: Intent = {
  blockchain: 'polygon',
  type: 'UNWIND',
  full: true,
  signer: me,
  token: 'USDC',
  amount: '1.00',
  transactionId: 12,
}
const poolAbi = parseAbi(['function withdraw(address asset, uint256 amount, address to)'])
const WHOLE = {
  Aave: evmBytes({
    to: venue('Aave V3 USDC'),
    data: encodeFunctionData({ abi: poolAbi, functionName: 'withdraw', args: [usdc, maxUint256, me] }),
  }),
  'a vault': evmBytes({
    to: venue('Yield Vault USDC'),
    data: encodeFunctionData({ abi: erc4626Abi, functionName: 'redeem', args: [9n ** 20n, me, me] }),
  }),
}

for (const [name, bytes] of Object.entries(WHOLE)) {
  test(`a whole position in ${name} that is worth more than maxAmount is refused, whatever amount was declared`, async () => {
    const list = capped('1000')
    const said = { ok: false, code: 'OVER_LIMIT' }
    expect(await verify(bytes, everything, list)).toMatchObject(said)
    expect(await verify(bytes, everything, list, async () => 1_000_000_001n)).toMatchObject({
      ...said,
      reason: 'the whole position is 1000.000001 USDC, which is more than the list allows in one transaction',
    })
    expect(await verify(bytes, everything, list, async () => 1_000_000_000n)).toMatchObject({
      ok: true,
      moves: 1_000_000_000n,
    })
  })

  test(`a whole position in ${name} moves what was measured, or what was declared if that is more`, async () => {
    expect(await verify(bytes, everything, sandboxAllowList)).toMatchObject({ ok: true, moves: 1_000_000n })
    expect(await verify(bytes, everything, sandboxAllowList, async () => 7_000_000n)).toMatchObject({
      moves: 7_000_000n,
    })
    expect(await verify(bytes, everything, sandboxAllowList, async () => 5n)).toMatchObject({ moves: 1_000_000n })
  })
}

test('what cannot be measured throws, so nothing is signed', async () => {
  const unavailable = async () => Promise.reject(new Error('no endpoint'))
  await expect(verify(WHOLE.Aave, everything, sandboxAllowList, unavailable)).rejects.toThrow('no endpoint')
})

test('nothing is measured that the bytes say exactly, nor bytes that are refused anyway', async () => {
  const never = async () => Promise.reject(new Error('measured'))
  const part = encodeFunctionData({ abi: poolAbi, functionName: 'withdraw', args: [usdc, 1_000_000n, me] })
  const bytes = evmBytes({ to: venue('Aave V3 USDC'), data: part })
  expect(await verify(bytes, { ...everything, full: false }, sandboxAllowList, never)).toMatchObject({
    moves: 1_000_000n,
  })
  const foreign = { ...everything, signer: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' }
  expect(await verify(WHOLE.Aave, foreign, sandboxAllowList, never)).toMatchObject({ code: 'WRONG_BENEFICIARY' })
})

test('shares on Solana may pay out little more than was approved', async () => {
  const rules = sandboxAllowList.chains.find(({ family }) => family === 'svm')!
  const vault = rules.venues.find(({ protocol }) => protocol === 'share-vault') as Extract<
    (typeof rules.venues)[number],
    { protocol: 'share-vault' }
  >
  const owner = 'GHtXQBsoZHVnNFa9YevAzFr17DJjgHXk3ycTKD5xD3Zi'
  const mint = rules.tokens.find(({ symbol }) => symbol === vault.token)!.address
  const [tokens, shares] = await Promise.all([tokenAccountOf(owner, mint), tokenAccountOf(owner, vault.shareMint)])
  const accounts = [`ws:${owner}`, `w:${vault.vault}`, mint, `w:${vault.shareMint}`, `w:${vault.liquidity}`]
  const bytes = solanaBytes(owner, [
    { program: 'ComputeBudget111111111111111111111111111111', accounts: [], data: Buffer.from([2, 64, 13, 3, 0]) },
    {
      program: vault.program,
      accounts: [...accounts, `w:${tokens}`, `w:${shares}`, TOKEN_PROGRAM],
      data: Buffer.from([2, ...u64(1_000_000n * vault.sharesPerUnit), ...u64(1_000_000n)]),
    },
    { program: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', accounts: [], data: Buffer.from('weir:12') },
  ])
  const part: Intent = { ...everything, blockchain: 'solana', token: vault.token, signer: owner, full: false }
  const paying = (amount: bigint) => verify(bytes, part, sandboxAllowList, async () => amount)
  expect(await paying(1_010_010n)).toMatchObject({ ok: true, moves: 1_010_010n })
  expect(await paying(1_010_011n)).toMatchObject({
    code: 'WRONG_AMOUNT',
    reason: 'the shares pay out 1.010011 USDC, the approved amount is 1',
  })
})
