import { Failure } from '../../../kernel/index.ts'

/**
 * Runs a submission; where its bytes went stale, `details.refresh` tells the absolute address of new ones (contract 4;
 * contract 2: every address that the service gives out begins with PUBLIC_URL).
 */
export async function withRefreshUrl<T>(publicUrl: string, submit: () => Promise<T>): Promise<T> {
  try {
    return await submit()
  } catch (error) {
    if (!(error instanceof Failure) || typeof error.details?.refresh !== 'string') throw error
    const { code, message, details } = error
    throw new Failure(code, { message, details: { ...details, refresh: publicUrl + details.refresh }, cause: error })
  }
}
