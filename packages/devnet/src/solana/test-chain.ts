import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  type Signature,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getMintToInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { vi } from 'vitest'
import type { SolanaStrategy, SolanaToken } from './deployment.ts'
import type { SolanaChain } from './start-solana-chain.ts'
import { decodeVault, type VaultAddresses, type VaultState } from './vault-program.ts'

type Lifetime = Awaited<
  ReturnType<ReturnType<ReturnType<typeof createSolanaRpc>['getLatestBlockhash']>['send']>
>['value']

/** For tests: the chain through an ordinary client library, with a signer who owns nothing yet. */
export async function user(chain: SolanaChain) {
  const rpc = createSolanaRpc(chain.url)
  const signer = await generateKeyPairSigner()
  const treasury = await createKeyPairSignerFromBytes(chain.deployment.treasury.secretKey)

  async function lifetime(): Promise<Lifetime> {
    return (await rpc.getLatestBlockhash().send()).value
  }
  /** Signed bytes as base64, and their id. */
  async function sign(instructions: readonly Instruction[], at?: Lifetime, from: KeyPairSigner = signer) {
    const until = at ?? (await lifetime())
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (draft) => setTransactionMessageFeePayer(from.address, draft),
      (draft) => setTransactionMessageLifetimeUsingBlockhash(until, draft),
      (draft) => appendTransactionMessageInstructions(instructions, draft),
    )
    const signed = await signTransaction([from.keyPair], compileTransaction(message))
    return { bytes: getBase64EncodedWireTransaction(signed), signature: getSignatureFromTransaction(signed) }
  }
  function submit(bytes: Awaited<ReturnType<typeof sign>>['bytes'], skipPreflight = false): Promise<Signature> {
    return rpc.sendTransaction(bytes, { encoding: 'base64', skipPreflight }).send()
  }
  async function status(signature: Signature) {
    return (await rpc.getSignatureStatuses([signature], { searchTransactionHistory: true }).send()).value[0] ?? null
  }
  /** Waits until the transaction is in a block; returns its full record. */
  async function landed(signature: Signature) {
    return vi.waitFor(
      async () => {
        const found = await rpc
          .getTransaction(signature, { encoding: 'json', maxSupportedTransactionVersion: 0 })
          .send()
        if (found?.meta === undefined || found.meta === null) throw new Error(`${signature} has not landed`)
        return { ...found, meta: found.meta }
      },
      { interval: 5, timeout: 10_000 },
    )
  }
  /** Signs, sends and waits. The transaction may land as failed. */
  async function send(instructions: readonly Instruction[], from: KeyPairSigner = signer) {
    const { bytes } = await sign(instructions, undefined, from)
    const signature = await submit(bytes)
    return { signature, ...(await landed(signature)) }
  }
  async function associated(mint: Address, owner: Address = signer.address): Promise<Address> {
    return (await findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS }))[0]
  }
  async function createAssociated(mint: Address): Promise<Instruction> {
    const ata = await associated(mint)
    return getCreateAssociatedTokenIdempotentInstruction({ payer: signer, owner: signer.address, mint, ata })
  }
  async function fund(token: SolanaToken, amount: bigint): Promise<void> {
    const ata = await associated(token.address)
    await send(
      [
        getTransferSolInstruction({ source: treasury, destination: signer.address, amount: lamports(1_000_000_000n) }),
        getCreateAssociatedTokenIdempotentInstruction({
          payer: treasury,
          owner: signer.address,
          mint: token.address,
          ata,
        }),
        getMintToInstruction({ mint: token.address, token: ata, mintAuthority: treasury, amount }),
      ],
      treasury,
    )
  }
  async function balance(mint: Address, owner: Address = signer.address): Promise<bigint> {
    const { value } = await rpc.getTokenAccountBalance(await associated(mint, owner)).send()
    return BigInt(value.amount)
  }
  async function vault(strategy: SolanaStrategy): Promise<VaultState> {
    const { value } = await rpc.getAccountInfo(strategy.params.vault, { encoding: 'base64' }).send()
    return decodeVault(Buffer.from(value?.data[0] ?? '', 'base64'))
  }
  return {
    rpc,
    signer,
    treasury,
    lifetime,
    sign,
    submit,
    status,
    landed,
    send,
    associated,
    createAssociated,
    fund,
    balance,
    vault,
  }
}

export function strategyOf(chain: SolanaChain, symbol: string) {
  const token = chain.deployment.tokens.find((candidate) => candidate.symbol === symbol)
  const strategy = chain.deployment.strategies.find((candidate) => candidate.token === symbol)
  if (token === undefined || strategy === undefined) throw new Error(`the chain has no ${symbol}`)
  const { program, vault, shareMint, liquidity } = strategy.params
  const at: VaultAddresses = { program, tokenMint: token.address, vault, shareMint, liquidity }
  return { token, strategy, at }
}

/** A new, unused address. */
export async function nobody(): Promise<Address> {
  return address((await generateKeyPairSigner()).address)
}
