; Helix
(model) @class.around
(function) @function.around
(argument) @parameter.inside
(comment) @comment.inside
(comment)+ @comment.around
