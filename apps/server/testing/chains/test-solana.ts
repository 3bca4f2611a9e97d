import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAddressFromPublicKey } from '@solana/addresses'
import { createKeyPairFromBytes, generateKeyPair } from '@solana/keys'
import {
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  getTransactionDecoder,
  partiallySignTransaction,
} from '@solana/transactions'
import { type SolanaChain as Devnet, startSolanaChain } from '@weir/devnet'
import {
  associatedTokenAddress,
  createAssociatedTokenIdempotent,
  createSolanaChain,
  networkFromDeployment,
  type SolanaChainParts,
  type SvmChain,
  type SvmIncludedTransaction,
  type SvmInstruction,
} from '../../src/chains/index.ts'
import type { Fetch } from '../../src/chains/rpc/endpoint.ts'
import { mintTo, transferNative } from '../../src/chains/solana/transactions/instructions.ts'
import { silentLog, systemClock } from '../../src/kernel/index.ts'
import { SHARE_VAULT_ERRORS } from '../../src/venues/share-vault/errors.ts'

export const SOL = 1_000_000_000n

/** A user's key. */
export interface SolanaKey {
  readonly address: string
  readonly pair: CryptoKeyPair
}

export async function newKey(): Promise<SolanaKey> {
  return keyOf(await generateKeyPair(true))
}

async function keyOf(pair: CryptoKeyPair): Promise<SolanaKey> {
  return { address: await getAddressFromPublicKey(pair.publicKey), pair }
}

/** The 64 bytes of a key pair as base64, for a separate process. */
export async function secretOf({ pair }: SolanaKey): Promise<string> {
  const [secret, open] = await Promise.all([
    crypto.subtle.exportKey('pkcs8', pair.privateKey),
    crypto.subtle.exportKey('raw', pair.publicKey),
  ])
  return Buffer.concat([Buffer.from(secret).subarray(-32), Buffer.from(open)]).toString('base64')
}

/** Signs unsigned bytes as a wallet does; base64 in and out. */
export async function sign({ pair }: SolanaKey, unsigned: string): Promise<string> {
  const transaction = getTransactionDecoder().decode(Buffer.from(unsigned, 'base64'))
  return getBase64EncodedWireTransaction(await partiallySignTransaction([pair], transaction))
}

export function signatureOf(signed: string): string {
  return getSignatureFromTransaction(getTransactionDecoder().decode(Buffer.from(signed, 'base64')))
}

/** For tests: the embedded Solana chain, which makes blocks only on demand. */
export interface TestSolana {
  readonly devnet: Devnet
  readonly chain: SvmChain
  /** The same chain followed by wallets, as where blocks are too large to read. `fetch` carries its requests. */
  byWallets(
    fetch?: Fetch,
    options?: Partial<Pick<SolanaChainParts, 'busyAccounts' | 'priorityFees' | 'clock' | 'rpcUrls'>>,
  ): SvmChain
  readonly treasury: SolanaKey
  requests(): number
  /** A new wallet with SOL and `amount` of a token. */
  wallet(token: string, amount: bigint): Promise<SolanaKey>
  fund(to: string, token: string, amount: bigint): Promise<SvmIncludedTransaction>
  /** Plans, signs and sends instructions, then makes the block that they land in. */
  send(key: SolanaKey, instructions: readonly SvmInstruction[]): Promise<SvmIncludedTransaction>
  /** The included transaction; makes a block if it is still waiting. */
  landed(signature: string): Promise<SvmIncludedTransaction>
  rpc<T>(method: string, ...params: unknown[]): Promise<T>
  stop(): Promise<void>
}

export async function startTestSolana(): Promise<TestSolana> {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-solana-'))
  const devnet = await startSolanaChain({ dataDir, heartbeatSeconds: 0, slotMs: 20 })
  // No automatic blocks: transactions wait for `mine`.
  await devnet.pauseBlocks()
  const { deployment } = devnet
  const treasury = await keyOf(await createKeyPairFromBytes(deployment.treasury.secretKey))
  let asked = 0
  let transactionId = 1_000_000
  const vault = deployment.strategies[0]!.params.program
  const network = networkFromDeployment(deployment)
  const same = {
    rpcUrls: [devnet.url],
    log: silentLog,
    clock: systemClock,
    programErrors: new Map([[vault as string, SHARE_VAULT_ERRORS]]),
  }
  const chain = createSolanaChain({
    ...same,
    network,
    onRequest: () => {
      asked += 1
    },
  })

  async function landed(signature: string): Promise<SvmIncludedTransaction> {
    for (let tries = 0; tries < 3; tries += 1) {
      const [lookup] = await chain.findTransactions([signature])
      const block = lookup?.blockNumber === undefined ? undefined : await chain.block(lookup.blockNumber)
      const found = block?.transactions.find(({ hash }) => hash === signature)
      if (found) return found
      await devnet.mine(1)
    }
    throw new Error(`${signature} did not land`)
  }

  async function send(key: SolanaKey, instructions: readonly SvmInstruction[]): Promise<SvmIncludedTransaction> {
    const call = { family: 'svm', instructions } as const
    const senderState = await chain.senderState(key.address)
    transactionId += 1
    const unsigned = chain.encode({ sender: key.address, call, nonce: null, gas: 400_000n, senderState, transactionId })
    const raw = await sign(key, unsigned.bytes)
    const sent = await chain.broadcast(raw)
    if (sent.outcome !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(sent)}`)
    return landed(signatureOf(raw))
  }

  async function fund(to: string, token: string, amount: bigint): Promise<SvmIncludedTransaction> {
    const account = await associatedTokenAddress(to, token)
    return send(treasury, [
      createAssociatedTokenIdempotent(treasury.address, to, token, account),
      mintTo(token, account, treasury.address, amount),
    ])
  }

  return {
    devnet,
    chain,
    byWallets: (fetchIt, options) =>
      createSolanaChain({
        ...same,
        ...options,
        network: { ...network, finality: 'tag', follow: 'wallets' },
        ...(fetchIt && { fault: { fetch: fetchIt } }),
      }),
    treasury,
    requests: () => asked,
    async wallet(token, amount) {
      const key = await newKey()
      await send(treasury, [transferNative(treasury.address, key.address, 10n * SOL)])
      if (amount > 0n) await fund(key.address, token, amount)
      return key
    },
    fund,
    send,
    landed,
    async rpc<T>(method: string, ...params: unknown[]) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const response = await fetch(devnet.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      return ((await response.json()) as { result: T }).result
    },
    async stop() {
      await devnet.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
