import { Failure } from '../../kernel/index.ts'
import { quoteAtPar } from '../pricing/fees.ts'
import type { RampProvider } from '../provider/port.ts'

/** Where no banking provider is set up: what is there can be read, and nothing new begins. */
export function createDisabledProvider(): RampProvider {
  const refuse = async (): Promise<never> => {
    throw new Failure('RAMP_UNAVAILABLE', { message: 'No banking provider is set up here.' })
  }
  return {
    name: 'none',
    startOnboarding: refuse,
    getOnboarding: async () => undefined,
    openOnrampAccount: refuse,
    openOfframpAccount: refuse,
    quote: async (asked) => quoteAtPar(asked),
    async readEvents() {
      throw new Failure('UNAUTHORIZED', { message: 'No banking provider is set up here.' })
    },
    handleDeposit: async () => [],
  }
}
