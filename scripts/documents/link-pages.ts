/** A text of the code names a page by its path, such as `docs/high-availability.md`; a page beside it links it. */
export function linkPages(text: string): string {
  return text.replace(
    /\bdocs\/([\w-]+)\.md\b/g,
    (_path, page: string) => `[${page.replaceAll('-', ' ').replace(/^api\b/, 'API')}](${page}.md)`,
  )
}
