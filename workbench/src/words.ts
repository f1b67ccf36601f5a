// The words of the language, which the server writes into the page.
interface Words {
  declaring: string[];
  modifiers: string[];
  control: string[];
  connecting: string[];
  operators: string[];
  functions: string[];
  constants: string[];
}

export const words = JSON.parse(document.querySelector<HTMLMetaElement>('meta[name="words"]')?.content ?? "") as Words;
