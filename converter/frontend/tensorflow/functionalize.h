#pragma once
// Control flow of TensorFlow 1, whose loops and branches are nodes among all others, as functions.

#include "converter/frontend/tensorflow/tensorflow.pb.h"

namespace micrort::frontend::tensorflow {

// Frames from Enter to Exit become While, and what lies between Switch and Merge becomes If; the nodes Exit
// and Merge stay and hand on the results. What does not have the form in which TensorFlow writes it stays as
// it is.
void FunctionalizeControlFlow(::tensorflow::GraphDef* graph);

// Parts of it. The former are of the whole graph; the latter of some nodes, and adds functions to the graph.
void FunctionalizeLoops(::tensorflow::GraphDef* graph);
void FunctionalizeBranches(google::protobuf::RepeatedPtrField<::tensorflow::NodeDef>* nodes,
                           ::tensorflow::FunctionDefLibrary* library);

}  // namespace micrort::frontend::tensorflow
