import { type Address, getAddressEncoder, lamports } from '@solana/kit'
import type { SolanaToken } from './deployment.ts'
import type { Store } from './store.ts'
import type { Vm } from './vm.ts'

/** The receiver program of Pyth owns the price accounts on the public clusters. */
const RECEIVER = 'rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ' as Address
/** Of `PriceUpdateV2`. */
const DISCRIMINATOR = [34, 241, 35, 99, 157, 126, 244, 205]
const FULLY_VERIFIED = 1
const EXPONENT = -8
const ONE_DOLLAR = 100_000_000n
const SIZE = 134

/**
 * The price accounts of the tokens, in the layout that Pyth's receiver writes. Prices survive a restart; every block
 * publishes them again, as sponsors do on the public clusters.
 */
export function priceFeeds(vm: Vm, store: Pick<Store, 'setting' | 'setSetting'>, tokens: readonly SolanaToken[]) {
  const keyOf = (symbol: string) => `price of ${symbol}`
  const priceOf = (symbol: string) => BigInt(store.setting(keyOf(symbol)) ?? ONE_DOLLAR)
  const publish = (time: number) => {
    for (const { symbol, usdFeed } of tokens) {
      const data = priceData(usdFeed, priceOf(symbol), BigInt(time))
      const space = BigInt(data.length)
      const programAddress = RECEIVER
      vm.put({ address: usdFeed, lamports: lamports(1_000_000_000n), programAddress, executable: false, data, space })
    }
  }
  return {
    publish,
    price: priceOf,
    setPrice(symbol: string, price: bigint, time: number) {
      store.setSetting(keyOf(symbol), String(price))
      publish(time)
    },
  }
}

export type PriceFeeds = ReturnType<typeof priceFeeds>

/** `price`: 1e-8 US dollars. `time`: Unix seconds. */
function priceData(feed: Address, price: bigint, time: bigint): Uint8Array {
  const data = new Uint8Array(SIZE)
  const view = new DataView(data.buffer)
  data.set(DISCRIMINATOR)
  data[40] = FULLY_VERIFIED
  data.set(getAddressEncoder().encode(feed), 41)
  view.setBigInt64(73, price, true)
  view.setBigUint64(81, 0n, true)
  view.setInt32(89, EXPONENT, true)
  view.setBigInt64(93, time, true)
  view.setBigInt64(101, time, true)
  view.setBigInt64(109, price, true)
  return data
}
