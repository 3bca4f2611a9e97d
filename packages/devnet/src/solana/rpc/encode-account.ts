import { type EncodedAccount, getBase58Decoder } from '@solana/kit'
import { decimalsOf, mintOf, tokenAccount, uiAmount } from '../token-balances.ts'
import { isTokenAccount, type Vm } from '../vm.ts'
import { type Options, refuse } from './params.ts'

/** An account as the RPC returns it, in the requested `encoding` and `dataSlice`. */
export function encodeAccount(vm: Vm, account: EncodedAccount | null, options: Options) {
  if (account === null) return null
  return {
    data: encodeData(vm, account, options),
    executable: account.executable,
    lamports: account.lamports,
    owner: account.programAddress,
    rentEpoch: NEVER,
    space: account.data.length,
  }
}

const NEVER = 0xffff_ffff_ffff_ffffn

function encodeData(vm: Vm, account: EncodedAccount, { encoding, dataSlice }: Options): unknown {
  const data = sliced(Buffer.from(account.data), dataSlice)
  switch (encoding) {
    case undefined:
    case 'binary':
      return base58(data)
    case 'base58':
      return [base58(data), 'base58']
    case 'base64':
      return [data.toString('base64'), 'base64']
    case 'jsonParsed':
      return parsed(vm, account) ?? [data.toString('base64'), 'base64']
    default:
      return refuse(`the encoding ${String(encoding)} is not offered here`)
  }
}

/** Longer data takes too long to encode in base58; real nodes refuse it too. */
const MAX_BASE58 = 128

function base58(data: Buffer): string {
  if (data.length > MAX_BASE58) refuse('Encoded binary (base 58) data should be less than 128 bytes, please use Base64')
  return getBase58Decoder().decode(data)
}

function sliced(data: Buffer, slice: unknown): Buffer {
  if (typeof slice !== 'object' || slice === null) return data
  const { offset, length } = slice as Readonly<Record<string, unknown>>
  if (typeof offset !== 'number' || typeof length !== 'number') return refuse('dataSlice needs offset and length')
  return data.subarray(offset, offset + length)
}

/** Parsed token accounts and mints; null for anything else. */
function parsed(vm: Vm, account: EncodedAccount) {
  const mint = mintOf(account)
  if (mint !== null) return told('mint', { ...mint, supply: mint.supply.toString() }, account)
  if (!isTokenAccount(account)) return null
  const { mint: of, owner, amount, frozen, rentOfNative, delegate, delegated, closeAuthority } = tokenAccount(account)
  const decimals = decimalsOf(vm, of) ?? 0
  return told(
    'account',
    {
      isNative: rentOfNative !== null,
      mint: of,
      owner,
      state: frozen ? 'frozen' : 'initialized',
      tokenAmount: uiAmount(amount, decimals),
      ...(delegate === null ? {} : { delegate, delegatedAmount: uiAmount(delegated, decimals) }),
      ...(closeAuthority === null ? {} : { closeAuthority }),
    },
    account,
  )
}

function told(type: string, info: object, account: EncodedAccount) {
  return { parsed: { info, type }, program: 'spl-token', space: account.data.length }
}
