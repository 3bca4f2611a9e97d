import type { DataWithResponse } from './response-call.ts'

/** A list. `await` reads one page as the service returns it; `for await` reads all entries, page by page. */
export interface PageCall<Page, Item> extends Promise<Page>, AsyncIterable<Item> {
  withResponse(): Promise<DataWithResponse<Page>>
}

export interface PageReader<Page, Item> {
  /** Reads the page of the caller's own query. */
  readonly first: () => Promise<DataWithResponse<Page>>
  readonly items: () => AsyncGenerator<Item>
}

/** The page is requested only if somebody awaits it: a `for await` loop chooses its own pages. */
export function pageCall<Page, Item>({ first, items }: PageReader<Page, Item>): PageCall<Page, Item> {
  let started: Promise<DataWithResponse<Page>> | undefined
  const response = () => {
    started ??= first()
    return started
  }
  const data = () => response().then((result) => result.data)
  return {
    then: (fulfilled, rejected) => data().then(fulfilled, rejected),
    catch: (rejected) => data().catch(rejected),
    finally: (settled) => data().finally(settled),
    withResponse: response,
    [Symbol.asyncIterator]: items,
    [Symbol.toStringTag]: 'PageCall',
  }
}
