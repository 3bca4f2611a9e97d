import { Failure } from '../../kernel/index.ts'
import { quoteAtPar } from '../pricing/fees.ts'
import type { RampProvider } from '../provider/port.ts'

/** The provider if none is configured: existing data can be read, but nothing new can start. */
export function createDisabledProvider(): RampProvider {
  const refuse = async (): Promise<never> => {
    throw new Failure('RAMP_UNAVAILABLE', { message: 'No banking partner is configured.' })
  }
  return {
    name: 'none',
    startOnboarding: refuse,
    getOnboarding: async () => undefined,
    openOnrampAccount: refuse,
    openOfframpAccount: refuse,
    quote: async (request) => quoteAtPar(request),
    async readEvents() {
      throw new Failure('UNAUTHORIZED', { message: 'No banking partner is configured.' })
    },
  }
}
