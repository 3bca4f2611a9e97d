import { keccak256, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { aaveOn, eventually, openSandbox, receiveEvents, rulesOf, usdc } from '../shared/sandbox.ts'
import { reasonOf, Savings } from './savings.ts'

const sandbox = await openSandbox()
const { weir } = sandbox
const blockchain = 'polygon'
const seed = generatePrivateKey()
const savings = new Savings({
  weir,
  blockchain,
  strategyId: await aaveOn(sandbox, blockchain),
  rules: await rulesOf(sandbox, blockchain),
  accountOf: (customer) => privateKeyToAccount(keccak256(toHex(`${seed} ${customer}`))),
})
const stop = await receiveEvents(sandbox, (event) => savings.book(event))

const customer = `customer-${Date.now()}`
const { walletAddress } = await weir.v1.wallets.get(await savings.open(customer))
await weir.v1.sandbox.faucet({ walletAddress, blockchain, token: 'USDC', amount: '1000000000' })

const deposit = await savings.deposit(customer, 900_000_000n, `${customer}-1`)
const repeated = await savings.deposit(customer, 900_000_000n, `${customer}-1`)
console.log(`saved ${usdc(900_000_000n)}, ${repeated.operationId === deposit.operationId ? 'once' : 'twice'}`)
await savings
  .deposit(customer, 900_000_000n, `${customer}-2`)
  .catch((error) => console.log(`refused: ${reasonOf(error) ?? error}`))

await weir.v1.sandbox.advanceTime({ seconds: 7 * 86_400 })
const { principal, interest } = await savings.balance(customer)
console.log(`after a week: ${usdc(principal)} and ${usdc(interest)} of interest`)

const withdrawal = await savings.withdraw(customer, 'everything', `${customer}-3`)
await eventually(() => savings.isBooked(deposit.operationId) && savings.isBooked(withdrawal.operationId))
console.log(`withdrawn and booked: ${usdc((await savings.balance(customer)).available)} in the wallet`)
await stop()
