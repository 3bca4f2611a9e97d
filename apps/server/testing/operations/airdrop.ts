import { sql } from 'kysely'
import { concat, getAddress, type Hex, numberToHex, pad } from 'viem'
import type { Wallet } from '../../src/wallets/index.ts'
import { freshAddress } from '../chains/fresh-address.ts'
import type { TestClient } from './test-client.ts'
import type { ChainInUse } from './use-chain.ts'

const CONTRACT = '0x00000000000000000000000000000000005ca3e1'
const TRANSFER_SELECTOR = '0xa9059cbb'
/** What a transfer to an address without a balance costs, and a margin. */
const GAS_OF_A_TRANSFER = 60_000

/** Code that transfers an amount of a token to each of these addresses, whatever it is called with. */
function transferCode(token: Hex, receivers: readonly string[], amount: bigint): Hex {
  const store = (word: Hex, at: number) => concat(['0x7f', word, '0x60', numberToHex(at, { size: 1 }), '0x52'])
  const call = concat(['0x6000600060446000600073', token, '0x5af150'])
  return concat([
    store(pad(TRANSFER_SELECTOR, { dir: 'right' }), 0),
    store(pad(numberToHex(amount)), 36),
    ...receivers.flatMap((to) => [store(pad(to as Hex), 4), call]),
    '0x00',
  ])
}

/** Registers wallets like another one, which were compared with the chain before. Returns their addresses. */
export async function registerLike(
  { engine }: ChainInUse,
  { organizationId, walletId }: Pick<Wallet, 'organizationId' | 'walletId'>,
  count: number,
): Promise<string[]> {
  const addresses = Array.from({ length: count }, () => getAddress(freshAddress()))
  await sql`
    with made as (
      insert into wallets (organization_id, wallet_profile_id, blockchain, address, created_at, reconciled_block)
      select organization_id, wallet_profile_id, blockchain, one.address, created_at, 1
      from wallets, unnest(${addresses}::text[]) as one(address)
      where organization_id = ${organizationId} and id = ${walletId}
      returning organization_id, id
    )
    insert into ledger_balances (organization_id, wallet_id, token_address)
    select made.organization_id, made.id, b.token_address
    from made join ledger_balances b on b.organization_id = made.organization_id and b.wallet_id = ${walletId}
  `.execute(engine.db)
  return addresses
}

interface Airdrop {
  readonly from: TestClient
  readonly to: readonly string[]
  /** Of USDC, in base units. */
  readonly amount: bigint
}

/** Sends the amount to each address, by one transaction of the client's, in a block of its own. */
export async function airdrop({ dev }: ChainInUse, { from: client, to: receivers, amount }: Airdrop): Promise<void> {
  const token = client.usdcAddress as Hex
  const gas = numberToHex(100_000 + GAS_OF_A_TRANSFER * receivers.length)
  await dev.rpc('anvil_dealERC20', CONTRACT, token, numberToHex(amount * BigInt(receivers.length)))
  await dev.rpc('anvil_setCode', CONTRACT, transferCode(token, receivers, amount))
  await dev.rpc('evm_setBlockGasLimit', numberToHex(1_000_000_000))
  await dev.rpc('anvil_impersonateAccount', client.address)
  await dev.included(await dev.rpc<string>('eth_sendTransaction', { from: client.address, to: CONTRACT, gas }))
}
