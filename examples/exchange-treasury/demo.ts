import { Weir } from '@weir/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { eventually, openSandbox, receiveEvents, rulesOf, usdc } from '../shared/sandbox.ts'
import { adopt, balances, runSigner, setBuffer } from './treasury.ts'

const sandbox = await openSandbox()
const { weir, session, baseUrl } = sandbox
const blockchain = 'base'
const account = privateKeyToAccount(generatePrivateKey())
const id = await adopt(session, { address: account.address, blockchain, buffer: 4_000_000_000n })
const stop = await receiveEvents(sandbox, ({ event, data }) => {
  const isFailure = event === 'operation.failed' && data.opWalletId === id
  const isBreak = event === 'break.opened' && data.walletAddress === account.address
  if (isFailure || isBreak) console.log(`alert: ${event} ${JSON.stringify(data)}`)
})

// A key that can do nothing but what an agent does.
const key = await session.core.apiKeys.generate({ name: 'Signer', permissions: ['agent'] })
if (!('apiKey' in key)) throw new Error('your change policy demands an approval of new keys')
const ended = new AbortController()
const signer = runSigner(
  {
    weir: new Weir({ baseUrl, apiKey: key.apiKey! }),
    account,
    rules: await rulesOf(sandbox, blockchain),
    limit: 50_000_000_000n,
    log: (line) => console.log(line),
  },
  ended.signal,
)

await weir.v1.sandbox.faucet({ walletAddress: account.address, blockchain, token: 'USDC', amount: '10000000000' })
await eventually(async () => (await balances(session, id)).deployed >= 5_999_000_000n)
console.log(`liquid ${usdc((await balances(session, id)).liquid)}, the rest is deployed`)

await setBuffer(session, id, 8_000_000_000n)
await eventually(async () => (await balances(session, id)).liquid >= 8_000_000_000n)
console.log(`liquid ${usdc((await balances(session, id)).liquid)} before a day of withdrawals`)

ended.abort()
await signer
await stop()
