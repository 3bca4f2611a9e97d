import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Address, createWalletClient, defineChain, erc20Abi, http, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Credentials } from '../../server/tour/client.ts'
import type { People } from '../../server/tour/people.ts'
import { seal } from '../src/signers/keystore/envelope.ts'
import { writeKeyFile } from '../src/signers/keystore/key-file.ts'
import { addressOf, newSecret } from '../src/signers/keystore/keys.ts'
import type { Family } from '../src/signers/port.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
/** Protects keys that hold sandbox tokens and exist only during the tour. */
const PASSPHRASE = 'a passphrase for the length of a tour'

/** The organization's own custody: keys in an encrypted key store, and the agent that signs with them. */
export interface Custody {
  /** Creates a key of the organization and returns its address, to be imported into Weir. */
  newAddress(blockchain: string): Promise<string>
  startAgent(): Promise<{ stop(): Promise<void> }>
  /** Sends tokens from one of its EVM addresses without Weir, as the owner of a wallet can at any time. */
  sendTokens(from: string, payment: Payment): Promise<string>
}

export interface Payment {
  readonly rpcUrl: string
  readonly chainId: number
  readonly token: string
  readonly to: string
  /** Base units. */
  readonly amount: bigint
}

export async function createCustody({ baseUrl }: Credentials, people: People, folder: string): Promise<Custody> {
  const keys = join(folder, 'keys')
  await mkdir(keys, { recursive: true, mode: 0o700 })
  const secrets = new Map<string, Uint8Array>()
  return {
    async newAddress(blockchain) {
      const family: Family = blockchain === 'solana' ? 'svm' : 'evm'
      const secret = newSecret(family)
      const address = addressOf(family, secret)
      secrets.set(address, secret)
      writeKeyFile(keys, await seal(secret, PASSPHRASE, 'light'), {
        family,
        address,
        label: `Tour ${blockchain}`,
        reference: '',
      })
      return address
    },
    sendTokens: (from, payment) => transfer(privateKeyToAccount(toHex(secrets.get(from)!)), payment),
    async startAgent() {
      const { apiKey } = await people.post<{ apiKey: string }>('/api/core/apikeys/generate', {
        name: 'Custody agent',
        permissions: ['agent'],
      })
      const { PATH, NODE_COMPILE_CACHE } = process.env
      const agent = spawn(process.execPath, [MAIN], {
        env: {
          PATH,
          ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
          WEIR_URL: baseUrl,
          WEIR_API_KEY: apiKey,
          AGENT_DIR: join(folder, 'agent'),
          KEYSTORE_DIR: keys,
          KEYSTORE_PASSPHRASE: PASSPHRASE,
          AGENT_PORT: '0',
          LOG_LEVEL: 'warn',
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      process.once('exit', () => agent.kill('SIGTERM'))
      await ready(agent)
      return {
        async stop() {
          agent.kill('SIGTERM')
          if (agent.exitCode === null) await once(agent, 'exit')
        },
      }
    },
  }
}

async function ready(agent: ChildProcess): Promise<void> {
  for await (const line of createInterface({ input: agent.stdout! })) if (line.startsWith('ready ')) return
  throw new Error('the agent exited before it was ready')
}

function transfer(account: PrivateKeyAccount, { rpcUrl, chainId, token, to, amount }: Payment): Promise<string> {
  const chain = defineChain({
    id: chainId,
    name: 'sandbox',
    nativeCurrency: { name: 'Native', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  return createWalletClient({ account, chain, transport: http(rpcUrl) }).writeContract({
    address: token as Address,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [to as Address, amount],
  })
}
