import { getBase58Decoder } from '@solana/kit'
import type { Landed } from '../store.ts'
import type { InnerInstructions } from '../vm.ts'
import { accountKeys, type Message, readWire, type Wire } from '../wire.ts'
import { RpcError } from './json.ts'
import { type Options, refuse } from './params.ts'

const UNSUPPORTED_VERSION = -32_015

/** A landed transaction as `getTransaction` and `getBlock` return it: `{transaction, meta, version?}`. */
export function encodeTransaction(landed: Landed, { encoding, maxSupportedTransactionVersion: known }: Options) {
  const wire = readWire(landed.bytes)
  const { version } = wire.message
  if (known === undefined && version !== 'legacy') {
    throw new RpcError(
      UNSUPPORTED_VERSION,
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    )
  }
  const meta = JSON.parse(landed.meta) as { innerInstructions: readonly InnerInstructions[] }
  return {
    meta:
      encoding === 'jsonParsed' ? { ...meta, innerInstructions: named(meta.innerInstructions, wire.message) } : meta,
    transaction: encodeWire(wire, encoding),
    ...(known === undefined ? {} : { version }),
  }
}

function encodeWire(wire: Wire, encoding: unknown): unknown {
  switch (encoding) {
    case 'base64':
      return [Buffer.from(wire.bytes).toString('base64'), 'base64']
    case 'base58':
      return [base58(wire.bytes), 'base58']
    case undefined:
    case 'json':
      return { message: asJson(wire.message), signatures: signaturesOf(wire) }
    case 'jsonParsed':
      return { message: asParsed(wire.message), signatures: signaturesOf(wire) }
    default:
      return refuse(`the encoding ${String(encoding)} is not offered here`)
  }
}

function signaturesOf({ transaction }: Wire): string[] {
  return Object.values(transaction.signatures).map((signature) => base58(signature ?? new Uint8Array(64)))
}

function asJson(message: Message) {
  const { header, staticAccounts, lifetimeToken, instructions, version } = message
  return {
    accountKeys: staticAccounts,
    header: {
      numReadonlySignedAccounts: header.numReadonlySignerAccounts,
      numReadonlyUnsignedAccounts: header.numReadonlyNonSignerAccounts,
      numRequiredSignatures: header.numSignerAccounts,
    },
    instructions: instructions.map(({ programAddressIndex, accountIndices = [], data = new Uint8Array() }) => ({
      accounts: accountIndices,
      data: base58(data),
      programIdIndex: programAddressIndex,
      stackHeight: 1,
    })),
    recentBlockhash: lifetimeToken,
    ...(version === 'legacy' ? {} : { addressTableLookups: [] }),
  }
}

/** Instructions as nodes return those of unknown programs: account addresses and raw data. */
function asParsed(message: Message) {
  const { staticAccounts, lifetimeToken, instructions, version } = message
  return {
    accountKeys: accountKeys(message).map(({ address, signer, writable }) => ({
      pubkey: address,
      signer,
      source: 'transaction',
      writable,
    })),
    instructions: instructions.map(({ programAddressIndex, accountIndices = [], data = new Uint8Array() }) => ({
      accounts: accountIndices.map((index) => staticAccounts[index]),
      data: base58(data),
      programId: staticAccounts[programAddressIndex],
      stackHeight: 1,
    })),
    recentBlockhash: lifetimeToken,
    ...(version === 'legacy' ? {} : { addressTableLookups: [] }),
  }
}

function named(inner: readonly InnerInstructions[], { staticAccounts }: Message) {
  return inner.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map(({ accounts, data, programIdIndex, stackHeight }) => ({
      accounts: accounts.map((account) => staticAccounts[account]),
      data,
      programId: staticAccounts[programIdIndex],
      stackHeight,
    })),
  }))
}

function base58(bytes: Parameters<ReturnType<typeof getBase58Decoder>['decode']>[0]): string {
  return getBase58Decoder().decode(bytes)
}
