// Also tested elsewhere: which wallets a block settles, after every test of the engine
// (testing/operations/use-engine.ts).
import { sql } from 'kysely'
import { concat, encodeFunctionData, erc20Abi, getAddress, type Hex, numberToHex, pad } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { freshAddress } from '../../../../testing/chains/fresh-address.ts'
import { countStatements } from '../../../../testing/index.ts'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { USDC } from '../../../../testing/units.ts'

const use = useEngine()
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const KNOWN_WALLETS = 200
const CONTRACT = '0x00000000000000000000000000000000005ca3e0'

/** Code that emits a transfer of 1,000,000 units to each of these addresses, whatever it is called with. */
function airdropCode(receivers: readonly string[]): Hex {
  const push = (word: Hex) => concat(['0x7f', pad(word)])
  const logs = receivers.map((to) => concat([push(to as Hex), push(CONTRACT), push(TRANSFER), '0x60206000a3']))
  return concat(['0x620f4240600052', ...logs, '0x00'])
}

/** Statements of the round that settles one block with this transaction. */
async function statementsFor(send: () => Promise<unknown>): Promise<number> {
  await use.engine.settle()
  await send()
  await use.dev.mine(1)
  const { statements } = await countStatements(use.engine.followOnce)
  return statements
}

afterEach(async () => {
  await sql`delete from wallets where address like '0x000000000000000000%'`.execute(use.engine.db)
})

async function knownWallets(): Promise<string[]> {
  const { scope } = use.client
  const addresses = Array.from({ length: KNOWN_WALLETS }, () => getAddress(freshAddress()))
  await sql`
    insert into wallets (organization_id, wallet_profile_id, blockchain, address, created_at, reconciled_block)
    select organization_id, wallet_profile_id, blockchain, one.address, created_at, 1
    from wallets, unnest(${addresses}::text[]) as one(address)
    where organization_id = ${scope.organizationId} and id = ${use.client.wallet.walletId}
  `.execute(use.engine.db)
  return addresses
}

test('made-up transfers that name every known wallet cost as much as any other transaction', async () => {
  const addresses = await knownWallets()
  const { account } = use.client
  await use.dev.rpc('anvil_setCode', CONTRACT, '0x00')
  const send = async () => use.dev.included(await use.dev.call(account, CONTRACT, '0x'))
  const plain = await statementsFor(send)
  await use.dev.rpc('anvil_setCode', CONTRACT, airdropCode(addresses))
  expect(await statementsFor(send)).toBe(plain)
})

test('transfers of nothing in the names of known wallets cost as much as any other transaction', async () => {
  const addresses = (await knownWallets()).slice(0, 5)
  const { account, usdcAddress } = use.client
  const plain = await statementsFor(async () => use.dev.included(await use.dev.call(account, CONTRACT, '0x')))
  const none = await statementsFor(async () => {
    await use.dev.mineAtOnce(false)
    const hashes: string[] = []
    for (const from of addresses) {
      const args = [from as Hex, account.address, 0n] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args })
      hashes.push(await use.dev.call(account, usdcAddress, data))
    }
    await use.dev.mine(1)
    await use.dev.mineAtOnce(true)
    for (const hash of hashes) await use.dev.included(hash)
  })
  expect(none).toBe(plain)
})

test('a transfer of a known token is settled, in a block full of made-up ones', async () => {
  const addresses = await knownWallets()
  await use.dev.rpc('anvil_setCode', CONTRACT, airdropCode([...addresses, use.client.address]))
  await use.dev.rpc('anvil_setBalance', use.client.address, numberToHex(10n ** 20n))
  await use.dev.included(await use.dev.call(use.client.account, CONTRACT, '0x'))
  await use.client.receive(5n * USDC)
  await use.engine.settle()
  expect((await use.balances()).available).toBe(1_005n)
})
