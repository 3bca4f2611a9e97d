import type { QueryClient } from '@tanstack/react-query'

/**
 * Reads everything that the page shows. A read that is on its way continues: started again with each event, a slow one
 * would never end. It may have begun before what happened, so that `ask` is called for another run after it.
 */
export async function readAgain(client: QueryClient, ask: () => void): Promise<void> {
  const isReading = client.isFetching() > 0
  await client.invalidateQueries({}, { cancelRefetch: false })
  if (isReading) ask()
}
