// Runs before the page is drawn, so that the chosen colors do not flash.
const chosen = localStorage.getItem('weir-docs-theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
